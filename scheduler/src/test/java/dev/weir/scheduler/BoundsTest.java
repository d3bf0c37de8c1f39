package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Result;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What others send has bounds, and so has what we make of it. */
class BoundsTest {

    private final Lab lab = Lab.withDefaults();

    private Job only() {
        lab.dataset("in", 1).task(Lab.task("t", "in").retry(1).build());
        return lab.take();
    }

    @Test
    void aReportAboutAnAttemptThatCannotBeIsRejectedAndTheJobGoesOn() {
        Job job = only();
        for (int impossible : new int[] {Integer.MAX_VALUE, 1_002, 5_000_000}) {
            lab.apply(new Event.ReportArrived(
                    Lab.result("p", Copies.attempt(job, impossible), Result.Outcome.FAILED, ErrorType.EXIT)));
        }

        assertThat(lab.rejected).hasSize(3).allMatch(reason -> reason.contains("makes no sense"));
        lab.starting("p", job).failed("p", job).pass(600_000);
        lab.run("p", lab.take());
        assertThat(lab.close("t-out").checkList()).hasSize(2);
    }

    @Test
    void anImpossibleAttemptOfAWaitingFileIsRejectedTooAndOneOfAClosedTaskIsToldToStop() {
        Job job = only();
        lab.failed("p", job).pass(600_000);
        lab.failed("p", lab.take());
        lab.dataset("more", 500).task(Lab.task("u", "more").build());
        Job first = lab.take();
        Lab other = Lab.withDefaults();
        other.dataset("more", 500).task(Lab.task("u", "more").build());

        lab.starting("q", Copies.attempt(job, 100_000));
        other.starting("q", Copies.attempt(first, 100_000));

        assertThat(lab.rejected).isEmpty();
        assertThat(lab.notices)
                .last()
                .satisfies(told -> assertThat(told.notice().type()).isEqualTo(Notice.Kind.CANCEL));
        assertThat(other.rejected).singleElement().asString().contains("makes no sense");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0/1/t", "0/0/u"})
    void aReportAboutAFailedJobUnderTheRouteOfAnotherIsRejectedAndChangesNeither(String route) {
        lab.dataset("in", 2);
        lab.task(Lab.task("t", "in").build()).task(Lab.task("u", "in").build());
        List<Job> jobs = List.of(lab.take(), lab.take(), lab.take(), lab.take());
        Job failed = jobs.get(0);
        Job open = jobs.get(3);
        assertThat(failed.route()).isEqualTo("0/0/t");
        jobs.stream().filter(job -> job != open).forEach(job -> {
            if (job == failed) {
                lab.failed("p", job);
            } else {
                lab.run("p", job);
            }
        });
        lab.starting("q", Copies.routed(Copies.attempt(failed, 2), route));

        assertThat(lab.rejected).singleElement().asString().contains(failed.uid(), "route");
        lab.restore(lab.store).run("p", open);
        assertThat(lab.close("t-out").checkList()).hasSize(3);
        assertThat(lab.close("u-out").checkList()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "file:///out/dir/", "https://host", "file:///out/a\0b"})
    void anOutputAtNoPlaceIsRejected(String url) {
        Job job = only();
        lab.starting("p", job).apply(new Event.ReportArrived(finishedAt(job, url)));

        assertThat(lab.rejected).singleElement().asString().contains("file_out_url");
        lab.finished("p", job).settle();
        assertThat(lab.close("t-out").checkList()).hasSize(2);
    }

    /** What DSM would not take must not count as stored. */
    @Test
    void anOutputInADirectoryThatIsTooLongIsRejectedWhereverItIs() {
        Job job = only();
        String most = "d".repeat(Limits.MAX_URL_BYTES);
        String elsewhere = "https://elsewhere/".concat(most).substring(0, most.length());
        lab.starting("p", job);
        for (String url : List.of("file:///store/" + most + "d/a.out", elsewhere + "d/a.out")) {
            lab.made("p", job, url, job.fileLogUrl()).made("p", job, job.fileOutUrl(), url);
        }

        assertThat(lab.rejected).hasSize(4).allMatch(why -> why.contains("may have 4096 bytes in JSON"));
        assertThat(lab.registrations).isEmpty();
        lab.made("p", job, "file:///store/" + most + "/a.out", elsewhere + "/a.log")
                .settle();
        assertThat(lab.rejected).hasSize(4);
        assertThat(lab.close("t-out").checkList()).containsExactlyInAnyOrder("a.out", "a.log");
    }

    @Test
    void anOutputBesideTheTasksStorageIsRegisteredByItsWholeUrl() {
        Job job = only();
        String beside = Lab.task("t", "in").build().datStorUrl() + "2/x.out";
        lab.starting("p", job).apply(new Event.ReportArrived(finishedAt(job, beside)));

        assertThat(lab.registrations)
                .filteredOn(Registration.File.class::isInstance)
                .singleElement()
                .extracting(file -> ((Registration.File) file).path())
                .isEqualTo(beside);
    }

    @Test
    void namesOfOutputsLeaveRoomInAFileSystemAndAreWholeCharacters() {
        List<FileInfo> files = List.of(
                Lab.file("日".repeat(80) + ".dat"),
                Lab.file("x".repeat(159) + "😀" + "y".repeat(20)),
                Lab.file("a".repeat(250)));
        lab.dataset("in", files).task(Lab.task("t", "in").build());

        for (Job job = lab.take(); job != null; job = lab.take()) {
            String name = job.fileOutUrl().substring(job.fileOutUrl().lastIndexOf('/') + 1);
            assertThat(name.getBytes(StandardCharsets.UTF_8).length).isBetween(100, 180);
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(name)).isTrue();
        }
        assertThat(lab.jobs).hasSize(3);
    }

    @Test
    void aMergeJobFitsInAMessageWhateverTheNamesAre() {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 9_000; i++) {
            files.add(Lab.file(i + (i % 3 == 0 ? "\"" : "日").repeat(75)));
        }
        lab.dataset("in", files).task(Lab.task("t", "in").merge(null).build());

        Set<String> inputs = new HashSet<>();
        for (Job job : lab.jobs) {
            assertThat(Json.write(job).length).isBetween(100, Limits.MAX_MESSAGE_BYTES);
            inputs.addAll(job.fileInUrls());
        }
        lab.runAll("p");
        lab.jobs.forEach(job -> inputs.addAll(job.fileInUrls()));
        assertThat(inputs).hasSize(9_000);
        assertThat(lab.jobs).hasSizeBetween(2, 5);
    }

    @Test
    void theLongestMergeJobsLeaveInManyEventsAndNoneIsForgotten() {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            files.add(Lab.file("f" + i + "x".repeat(900)));
        }
        Lab many = new Lab(SchedulerOptions.defaults()
                .withPool("cpu", PoolOptions.defaults().withWindow(64)));
        many.dataset("in", files).task(Lab.task("t", "in").merge(null).build()).settle();
        many.pool(Command.Type.POOL_PAUSE, "cpu").settle();
        List<Job> failed = new ArrayList<>();
        for (Job job = many.take(); job != null; job = many.take()) {
            failed.add(job);
        }
        failed.forEach(job -> many.starting("p", job).failed("p", job, ErrorType.STAGE_IN));
        many.pass(600_000);

        many.pool(Command.Type.POOL_RESUME, "cpu");
        int atOnce = many.queues.get("cpu").size();
        many.settle();

        assertThat(failed.size()).isGreaterThan(30);
        assertThat(atOnce).isBetween(16, 20);
        assertThat(many.queues.get("cpu").size()).isEqualTo(failed.size());
    }

    @Test
    void everyPartOfACheckListFitsInAMessageWhateverTheNamesAre() {
        lab.dataset("in", 1_100).task(Lab.task("t", "in").build());
        for (Job job = lab.take(); job != null; job = lab.take()) {
            lab.starting("p", job);
            String directory = job.fileOutUrl().substring(0, job.fileOutUrl().lastIndexOf('/') + 1);
            lab.apply(new Event.ReportArrived(
                    finishedAt(job, directory + "\"".repeat(500) + job.uid().length())));
            lab.settle();
        }

        List<Registration.Close> parts = lab.pass(2_000).closes("t-out");
        assertThat(parts).hasSize(3).allMatch(part -> Json.write(part).length <= Limits.MAX_MESSAGE_BYTES);
        assertThat(parts.stream().mapToInt(part -> part.checkList().size()).sum())
                .isEqualTo(2_200);
    }

    private static Result finishedAt(Job job, String url) {
        return new Result(
                "p",
                "cpu",
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                url,
                5L,
                null,
                job.fileLogUrl(),
                7L,
                null,
                null,
                null);
    }

    @ParameterizedTest
    @CsvSource({
        "file:///store/../etc/passwd, must not contain '..'",
        "no url at all, must be a file's URL",
        "file:///store/, must be a file's URL",
    })
    void whatAPilotMadeMustBeAFileAtAPlaceThatOneCanGoTo(String url, String reason) {
        Job job = only();
        lab.starting("p", job);
        lab.made("p", job, url, job.fileLogUrl()).made("p", job, job.fileOutUrl(), url);

        assertThat(lab.rejected).hasSize(2);
        assertThat(lab.rejected.get(0)).startsWith("file_out_url").contains(reason);
        assertThat(lab.rejected.get(1)).startsWith("file_log_url").contains(reason);
        assertThat(lab.registrations).isEmpty();
        lab.finished("p", job).settle();
        assertThat(lab.close("t-out").checkList()).hasSize(2);
    }

    @Test
    void aNulOrANameThatNoDsmTakesInWhatAPilotMadeIsRejected() {
        Job job = only();
        lab.made("p", job, "file:///store/a\0b", null).made("p", job, "file:///store/" + "n".repeat(1_025), null);
        assertThat(lab.rejected).hasSize(2);
        lab.made("p", job, "file:///store/" + "n".repeat(1_024), null);

        assertThat(lab.rejected).hasSize(2);
        assertThat(lab.close("t-out").checkList()).containsExactly("n".repeat(1_024));
    }
}
