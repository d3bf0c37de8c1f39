package dev.weir.protocol.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In Paris the clock goes from 2:00 to 3:00 on 29 March 2026, a Sunday, and from 3:00 to 2:00 on 25 October. */
class CronTest {

    private static Instant next(String fields, String zone, Instant after) {
        return Cron.of(fields, zone).next(after);
    }

    private static Instant next(String fields, String after) {
        return next(fields, "Europe/Paris", Instant.parse(after));
    }

    @ParameterizedTest
    @CsvSource({
        "30 2 * * *,   2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
        "30 2 * * *,   2026-03-29T00:59:59Z, 2026-03-29T01:00:00Z",
        "30 2 * * *,   2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
        "30 2 * * 0,   2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
        "*/20 2 * * *, 2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z",
        "*/20 2 * * *, 2026-03-29T01:00:00Z, 2026-03-30T00:00:00Z",
        "0 1-4 * * *,  2026-03-29T00:00:00Z, 2026-03-29T01:00:00Z",
        "0 1-4 * * *,  2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z"
    })
    void aDateOverWhichTheClockIsPutForwardIsWhenThatHappens(String fields, String after, Instant next) {
        assertThat(next(fields, after)).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({
        "30 2 * * *,   2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z",
        "30 2 * * *,   2026-10-25T00:31:00Z, 2026-10-26T01:30:00Z",
        "30 2 * * *,   2026-10-25T01:29:59Z, 2026-10-26T01:30:00Z",
        "*/20 2 * * *, 2026-10-25T00:40:00Z, 2026-10-26T01:00:00Z",
        "0 1-4 * * *,  2026-10-25T00:00:00Z, 2026-10-25T02:00:00Z"
    })
    void aDateThatTheClockShowsTwiceIsTheFirst(String fields, String after, Instant next) {
        assertThat(next(fields, after)).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({
        "*/5 * * * *, 2026-03-29T00:55:00Z, 2026-03-29T01:00:00Z",
        "30 * * * *,  2026-03-29T00:30:00Z, 2026-03-29T01:30:00Z",
        "*/5 * * * *, 2026-10-25T00:55:00Z, 2026-10-25T01:00:00Z",
        "*/5 * * * *, 2026-10-25T01:55:00Z, 2026-10-25T02:00:00Z",
        "30 * * * *,  2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z"
    })
    void aRuleForEachHourRunsInEachHourThatPasses(String fields, String after, Instant next) {
        assertThat(next(fields, after)).isEqualTo(next);
    }

    /** Where it changes at midnight, and where by half an hour. */
    @ParameterizedTest
    @CsvSource({
        "0 0 * * *,  America/Havana,      2026-03-07T12:00:00Z, 2026-03-08T05:00:00Z",
        "15 2 * * *, Australia/Lord_Howe, 2026-10-03T12:00:00Z, 2026-10-03T15:30:00Z",
        "45 1 * * *, Australia/Lord_Howe, 2026-04-04T14:50:00Z, 2026-04-05T15:15:00Z",
        "45 * * * *, Australia/Lord_Howe, 2026-04-04T14:50:00Z, 2026-04-04T15:15:00Z"
    })
    void soItIsInOtherZones(String fields, String zone, Instant after, Instant next) {
        assertThat(next(fields, zone, after)).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({"2026-03-28T00:00:00Z", "2026-10-24T00:00:00Z"})
    void theNextDateIsAlwaysLaterAndNoneIsLeftOut(Instant begin) {
        for (String fields : new String[] {"*/7 * * * *", "*/7 0-23 * * *", "10 2,3 * * 0", "0 */2 * * *"}) {
            Cron cron = Cron.of(fields, "Europe/Paris");
            Instant date = cron.next(begin);
            while (date.isBefore(begin.plus(Duration.ofDays(2)))) {
                Instant following = cron.next(date);
                assertThat(following).isAfter(date);
                assertThat(cron.next(date.plusMillis(500))).isEqualTo(following);
                assertThat(cron.next(following.minusMillis(1))).isEqualTo(following);
                date = following;
            }
        }
    }

    @Test
    void aRuleThatNamesNoDateHasNone() {
        assertThat(next("0 0 30 2 *", "2026-01-01T00:00:00Z")).isNull();
        assertThat(next("0 * 30 2 *", "2026-01-01T00:00:00Z")).isNull();
    }
}
