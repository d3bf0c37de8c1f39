package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Job;
import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pilot is told about its job, and how many files a task asks DSM for. */
class JobMessageTest {

    private Lab lab = Lab.withDefaults();

    private Job only(FileInfo file) {
        lab.apply(new Event.TaskArrived(
                Lab.task("t", "in").targets(List.of(file)).retry(1).build()));
        return lab.take();
    }

    @Test
    void itHasItsInputWithSizeAndChecksumAndAPlaceOfItsOwnForEachAttempt() {
        Job job = only(new FileInfo("run-7.raw", "https://store/spd", "2026/a", 123L, "sha256:00ff", null, null, null));

        assertThat(job.fileInUrl()).isEqualTo("https://store/spd/2026/a/run-7.raw");
        assertThat(job.fileInUrls()).isEmpty();
        assertThat(job.fileInSize()).isEqualTo(123);
        assertThat(job.fileInChecksum()).isEqualTo("sha256:00ff");
        assertThat(job.taskNum()).isEqualTo(1);
        assertThat(job.fileOutUrl()).isEqualTo("file:///store/t/" + job.uid() + "/run-7.0.1.out");
        assertThat(job.fileLogUrl()).isEqualTo("file:///store/t/" + job.uid() + "/run-7.0.1.log");
        lab.starting("p", job).failed("p", job).pass(600_000);
        Job again = lab.take();

        assertThat(again.uid()).isEqualTo(job.uid());
        assertThat(again.fileInSize()).isEqualTo(123);
        assertThat(again.fileOutUrl()).endsWith("/run-7.0.2.out");
    }

    @Test
    void aMergeJobHasAListOfInputsAndNoneOfItsOwn() {
        lab.dataset("in", 3).task(Lab.task("t", "in").merge(3).build());
        Job job = lab.take();

        assertThat(job.fileInUrls())
                .containsExactly("file:///in/d/f0.dat", "file:///in/d/f1.dat", "file:///in/d/f2.dat");
        assertThat(job.fileInSizes()).hasSize(3);
        assertThat(job.fileInUrl()).isNull();
        assertThat(job.fileInSize()).isNull();
        assertThat(job.fileInChecksum()).isNull();
        assertThat(job.fileOutUrl()).endsWith("/f0.0.1.out");
    }

    @ParameterizedTest
    @CsvSource({
        "a.dat, a",
        "a.tar.gz, a.tar",
        "README, README",
        ".profile, .profile",
        "name., name",
    })
    void itsOutputIsNamedAfterItsInputWithoutTheLastEnding(String input, String stem) {
        Job job = only(new FileInfo(input, "https://store.example.org", "v1.2", null, null, null, null, null));

        assertThat(job.fileOutUrl()).endsWith("/" + job.uid() + "/" + stem + ".0.1.out");
    }

    @Test
    void aLongNameOfItsInputIsCutInThatOfItsOutput() {
        Job job = only(Lab.file("x".repeat(900) + ".dat"));

        assertThat(job.fileOutUrl()).endsWith("/" + "x".repeat(160) + ".0.1.out");
    }

    @Test
    void whateverItsInputIsCalledAResultWithItsUrlsIsTaken() {
        String[] parts = {
            "\\",
            "\\..",
            "..\\",
            ".",
            "..",
            "/",
            "%",
            "%2F",
            "%2e%2e",
            " ",
            "\n",
            "\"",
            ":",
            "a",
            "raw",
            "é",
            "漢",
            "😀",
            "x".repeat(70)
        };
        Random random = new Random(97);
        int accepted = 0;
        for (int i = 0; i < 3_000; i++) {
            FileInfo file;
            try {
                file = new FileInfo(
                        drawn(random, parts), "file:///in", drawn(random, parts), 1L, null, null, null, null);
            } catch (InvalidMessage refused) {
                continue;
            }
            accepted++;
            lab = Lab.withDefaults();
            Job job = only(file);
            lab.run("p", job);

            assertThat(lab.rejected).as("%s", file).isEmpty();
            assertThat(lab.registrations).as("%s", file).isNotEmpty();
        }
        assertThat(accepted).isGreaterThan(300);
    }

    private static String drawn(Random random, String[] parts) {
        return random.ints(1 + random.nextInt(6), 0, parts.length)
                .mapToObj(part -> parts[part])
                .collect(Collectors.joining());
    }

    @Test
    void itSaysHowLongItMayRunAndForHowLongItsPilotMayBeSilent() {
        lab = new Lab(SchedulerOptions.defaults()
                .withPilots(PilotOptions.defaults().withLease(Duration.ofSeconds(20), Duration.ofSeconds(90)))
                .withAttempts(AttemptOptions.defaults().withJobTimeout(Duration.ofHours(2))));
        Job job = only(Lab.file("a"));

        assertThat(job.leaseS()).isEqualTo(90);
        assertThat(job.timeoutS()).isEqualTo(7_200);
    }

    /** From once the base at weight 1 to twice the base at weight 100, and four rounds of the interleaving at least. */
    @ParameterizedTest
    @CsvSource({
        "250, 1, 250",
        "250, 34, 333",
        "250, 100, 500",
        "100, 50, 200",
        "10, 100, 400",
        "10, 2, 10",
        "9000, 100, 10000"
    })
    void aTaskOfMoreWeightAsksForLargerPages(int chunkFiles, double rank, int expected) {
        lab.apply(new Event.TaskArrived(
                Lab.task("t", "in").chunkFiles(chunkFiles).rank(rank).build()));

        assertThat(lab.pages).extracting(PageRequest::limit).containsExactly(expected);
    }
}
