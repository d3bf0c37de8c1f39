package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.LimitRow;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dashboard shows of limit groups. */
class LimitRowsTest {

    private static Lab lab(GroupLimit ofRule) {
        return new Lab(SchedulerOptions.defaults()
                .withLimits(new LimitOptions(
                        List.of(new GroupRule(GroupRule.Kind.HOST, null, ofRule)),
                        Map.of("tape", GroupLimit.inFlight(3)))));
    }

    /** A task with so many files on each host, from h0 on. */
    private static Lab task(Lab lab, String uid, int hosts, int files) {
        List<FileInfo> all = IntStream.range(0, hosts * files)
                .mapToObj(i -> new FileInfo(uid + "-" + i, "https://h" + i % hosts, "", 1L, null, null, null, null))
                .toList();
        return lab.dataset("in-" + uid, all).task(Lab.task(uid, "in-" + uid).build());
    }

    private static LimitRow row(Lab lab, String group) {
        return lab.limitRows.get(group);
    }

    @Test
    void aLimitedGroupIsShownWithItsJobsAndItsWaitingFilesWithinASecond() {
        Lab lab = lab(GroupLimit.inFlight(2));
        task(lab, "t", 1, 5).pass(1_000);

        LimitRow row = row(lab, "host:h0");
        assertThat(row.source()).isEqualTo(LimitRow.Source.RULE);
        assertThat(row.maxInFlight()).isEqualTo(2);
        assertThat(row.maxStarts()).isNull();
        assertThat(row.inFlight()).isEqualTo(2);
        assertThat(row.waiting()).isEqualTo(3);

        lab.finished("p", lab.jobs.get(0)).finished("p", lab.jobs.get(1)).pass(1_000);
        assertThat(row(lab, "host:h0").waiting()).isEqualTo(1);
    }

    @Test
    void filesThatComeWhileAGroupIsClosedAreShownThoughNothingStarts() {
        Lab lab = lab(GroupLimit.inFlight(0));
        task(lab, "t", 1, 5).pass(1_000);
        task(lab, "u", 1, 7).pass(2_000);

        assertThat(row(lab, "host:h0").waiting()).isEqualTo(12);
        assertThat(row(lab, "host:h0").inFlight()).isZero();
    }

    @Test
    void aCommandIsShownAsItsSourceUntilTheLimitIsLifted() {
        Lab lab = lab(GroupLimit.inFlight(2));
        task(lab, "t", 1, 50)
                .limit("host:h0", 7, 9, 60)
                .limit("tape", 3, null, null)
                .pass(1_000);

        assertThat(row(lab, "host:h0").source()).isEqualTo(LimitRow.Source.COMMAND);
        assertThat(row(lab, "host:h0").maxStarts()).isEqualTo(9);
        assertThat(row(lab, "host:h0").windowS()).isEqualTo(60);
        assertThat(row(lab, "tape").source()).as("as it is configured").isEqualTo(LimitRow.Source.GROUP);

        lab.lift("host:h0").pass(1_000);
        assertThat(row(lab, "host:h0").deleted()).isTrue();
    }

    @Test
    void startsLeaveTheWindowThoughNothingHappens() {
        Lab lab = lab(new GroupLimit(GroupLimit.UNLIMITED, 5, Duration.ofSeconds(10)));
        task(lab, "t", 1, 4).pass(1_000);
        assertThat(row(lab, "host:h0").starts()).isEqualTo(4);
        lab.pass(11_000);

        assertThat(row(lab, "host:h0").starts()).isZero();
        assertThat(row(lab, "host:h0").inFlight()).isEqualTo(4);
    }

    @Test
    void aGroupHasAtMostOneRowASecond() {
        Lab lab = lab(GroupLimit.inFlight(1));
        task(lab, "t", 1, 100).pass(1_000);
        long before = lab.rowsOfLimits;
        for (int i = 0; i < 50; i++) {
            Job job = lab.jobs.get(i);
            lab.finished("p", job).pass(100);
        }

        assertThat(lab.jobs).hasSize(51);
        assertThat(lab.rowsOfLimits - before).isBetween(4L, 6L);
    }

    @Test
    void groupsWithoutALimitAreNotShown() {
        Lab lab = lab(null);
        task(lab, "t", 50, 1).pass(10_000);

        assertThat(lab.limitRows.values())
                .as("the first one tells that rows of an earlier start do not hold")
                .singleElement()
                .matches(LimitRow::deleted);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsAreNewerThanThoseOfAClockThatWasAheadAndThoseDoNotHoldAnyMore(boolean restart) {
        Lab lab = lab(GroupLimit.inFlight(2));
        long right = lab.now;
        lab.now += Duration.ofDays(1).toMillis();
        task(lab, "t", 1, 3).pass(2_000);
        LimitRow ahead = row(lab, "host:h0");
        lab.now = right;
        if (restart) {
            lab.restore(lab.store);
        }
        task(lab, "u", 1, 1).pass(2_000);

        assertThat(row(lab, "host:h0").waiting()).isEqualTo(2);
        assertThat(row(lab, "host:h0").version()).isGreaterThan(ahead.version());
        assertThat(row(lab, "host:h0").since()).isAfter(ahead.since());
    }

    @Test
    void aForgottenGroupGoesAndAfterARestartAllThatAreLimitedAreShownAnew() {
        Lab lab = lab(GroupLimit.inFlight(2));
        task(lab, "t", 3, 1).pass(1_000);
        LimitRow before = row(lab, "host:h1");
        lab.restore(lab.store).pass(2_000);

        assertThat(row(lab, "host:h1").since()).isAfter(before.since());
        assertThat(row(lab, "host:h1").version()).isGreaterThan(before.version());
        assertThat(row(lab, "host:h1").inFlight()).isEqualTo(1);
        for (Job job : List.copyOf(lab.jobs)) {
            lab.finished("p", job);
        }
        lab.settle().pass(60_000);
        assertThat(row(lab, "host:h1").deleted()).isTrue();
    }
}
