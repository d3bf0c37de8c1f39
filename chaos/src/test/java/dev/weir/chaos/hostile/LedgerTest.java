package dev.weir.chaos.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.chaos.judge.Violation;
import dev.weir.protocol.Rejected;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private final Ledger ledger = new Ledger();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void sent(String body, boolean mustBeRejected) {
        ledger.sent(new BadMessage(Door.TASKS, Spoiling.GARBAGE, bytes(body), mustBeRejected));
    }

    private void rejected(String body) {
        ledger.rejected(Rejected.of("not JSON", null, "tasks", Instant.EPOCH, bytes(body)), Door.TASKS);
    }

    @Test
    void aMessageThatIsRejectedOnceAsItMustBeIsInOrder() {
        sent("[]", true);
        sent("[]", true);
        sent("{}", false);
        rejected("[]");
        rejected("[]");

        assertThat(ledger.awaited()).isZero();
        assertThat(ledger.violations()).isEmpty();
        assertThat(ledger.sums()).containsExactly(new Ledger.Sum("garbage", 3, 2, 1, "not JSON"));
    }

    @Test
    void aLongMessageIsFoundByItsBegin() {
        String huge = "h".repeat(100_000);
        sent(huge, true);
        rejected(huge.substring(0, 65_536));

        assertThat(ledger.violations()).isEmpty();
    }

    @Test
    void aMessageThatIsTakenAlthoughNobodyCanReadItIsAViolation() {
        sent("[]", true);
        sent("[]", true);
        rejected("[]");

        assertThat(ledger.awaited()).isEqualTo(1);
        assertThat(ledger.violations()).extracting(Violation::rule).containsExactly("not rejected");
    }

    @Test
    void aMessageThatIsRejectedAgainAndAgainIsAViolation() {
        sent("[]", true);
        rejected("[]");
        rejected("[]");

        assertThat(ledger.violations()).extracting(Violation::rule).containsExactly("rejected twice");
    }

    @Test
    void aGoodMessageThatIsRejectedIsAViolationAndALateRefusalOfABadOneIsNot() {
        rejected("{\"task_uid\": \"hostile-7\"}");
        rejected("{\"task_uid\": \"crowd-7\"}");

        assertThat(ledger.violations()).extracting(Violation::rule).containsExactly("rejected");
    }
}
