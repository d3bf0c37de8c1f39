package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes and pilots that never come back: batch systems keep giving them new names. */
class ForgettingTest {

    private static final long DAY = 24 * 3_600_000L;

    private Lab lab = lab(200_000);

    private static Lab lab(int maxPilots) {
        return new Lab(SchedulerOptions.defaults()
                .withPilots(new PilotOptions(
                        Duration.ofSeconds(15), Duration.ofSeconds(60), 2, Duration.ofMinutes(5), maxPilots))
                .withPool("cpu", PoolOptions.defaults().withWindow(20)));
    }

    private Lab idle(String pilot, String node) {
        return lab.apply(new Event.ReportArrived(new Heartbeat(
                pilot, "cpu", null, null, null, new NodeInfo(node, 1, 1L), PilotState.IDLE, null, null, null)));
    }

    private void fail(String pilot) {
        Job job = lab.take();
        lab.starting(pilot, job).failed(pilot, job, ErrorType.DISK_FULL);
    }

    private void tasks() {
        lab.dataset("in", 100).task(Lab.task("t", "in").autoCancel(false).build());
    }

    private List<String> failingNodes() {
        List<String> names = new ArrayList<>();
        lab.store.forEach(Tables.NODE, (name, node) -> names.add(name));
        return names;
    }

    private List<String> pilotsInState() {
        List<String> ids = new ArrayList<>();
        lab.store.forEach(Tables.PILOT, (id, pilot) -> ids.add(id));
        return ids;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNodeThatFailedAndIsNotSeenAgainIsForgottenADayAfterItCouldHaveBeenTriedAgain(boolean restart) {
        tasks();
        for (int i = 0; i < 10; i++) {
            idle("p" + i, "batch-" + i);
            fail("p" + i);
        }
        fail("p0");
        assertThat(failingNodes()).hasSize(10);
        if (restart) {
            lab.restore(lab.store);
        }
        lab.pass(DAY + 299_999);
        assertThat(failingNodes()).hasSize(10);
        lab.pass(1);

        assertThat(failingNodes()).isEmpty();
    }

    @Test
    void aNodeThatIsTriedWithALongJobIsRememberedUntilThatHasEnded() {
        tasks();
        idle("a", "a");
        idle("b", "b");
        fail("a");
        fail("a");
        lab.pass(300_000);
        Job probe = lab.take();
        lab.starting("a", probe);
        for (long end = lab.now + DAY + 600_000; lab.now < end; lab.pass(15_000)) {
            lab.alive("a", probe);
        }
        assertThat(failingNodes()).containsExactly("a");
        lab.finished("a", probe);

        assertThat(failingNodes()).isEmpty();
    }

    @Test
    void noMoreFailingNodesAreRememberedThanPilotsAndTheOldestGoesFirst() {
        lab = lab(3);
        tasks();
        for (int i = 0; i < 5; i++) {
            fail("p" + i);
        }

        assertThat(failingNodes()).containsExactlyInAnyOrder("p2", "p3", "p4");
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("failing node", 2L);
    }

    @Test
    void aLostPilotCountsAgainstItsNodeAndNotAgainstItsOwnId() {
        tasks();
        for (String pilot : List.of("a1", "a2")) {
            idle(pilot, "a").starting(pilot, lab.take());
            for (int i = 0; i < 8; i++) {
                idle("b1", "b").pass(15_000);
                idle("a3", "a");
            }
        }
        List<NodeRecord> nodes = new ArrayList<>();
        lab.store.forEach(Tables.NODE, (name, node) -> nodes.add(node));

        assertThat(nodes).singleElement().satisfies(node -> {
            assertThat(node.node()).isEqualTo("a");
            assertThat(node.failures()).isEqualTo(2);
        });
        assertThat(lab.notices).anySatisfy(told -> {
            assertThat(told.pilotId()).isEqualTo("a3");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.DRAIN);
        });
    }

    // ---- pilots that are kept out

    private long pilots() {
        return lab.scheduler.metrics().pools().get("cpu").pilots();
    }

    @ParameterizedTest
    @EnumSource(names = {"PILOT_EXCLUDE", "PILOT_DRAIN"})
    void silentExcludedPilotsTakeNoRoomFromLivePilots(Command.Type type) {
        lab = lab(2);
        lab.idle("x").pilot(type, "x").pilot(type, "y").pass(120_000);
        assertThat(lab.scheduler.metrics().pilots()).isZero();
        lab.restore(lab.store);
        lab.idle("p").idle("q").idle("one-too-many");

        assertThat(pilots()).isEqualTo(2);
        assertThat(lab.scheduler.metrics().pilots()).isEqualTo(2);
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("pilot", 1L);
        lab.idle("x");
        assertThat(lab.notices).last().satisfies(told -> {
            assertThat(told.pilotId()).isEqualTo("x");
            assertThat(told.notice().type()).isEqualTo(Notice.Kind.DRAIN);
        });
    }

    @Test
    void ofTooManyExcludedPilotsTheOldestIsForgottenAndCounted() {
        lab = lab(2);
        for (String pilot : List.of("a", "b")) {
            lab.idle(pilot).pilot(Command.Type.PILOT_EXCLUDE, pilot).pass(120_000);
        }
        lab.idle("c").pilot(Command.Type.PILOT_EXCLUDE, "c");
        lab.pilot(Command.Type.PILOT_EXCLUDE, "refused");
        assertThat(lab.rejected).singleElement().asString().contains("too many pilots are drained or excluded");
        lab.pilot(Command.Type.PILOT_INCLUDE, "of.no.use").pass(120_000);

        assertThat(pilotsInState()).containsExactlyInAnyOrder("b", "c");
        assertThat(lab.scheduler.metrics().ignored()).containsEntry("steered pilot", 1L);
        assertThat(lab.rejected).hasSize(1);
    }

    @Test
    void anOlderCommandAboutAPilotThatIsForgottenLeavesNothingBehind() {
        lab = lab(1);
        long before = lab.now - 1;
        lab.pilot(Command.Type.PILOT_INCLUDE, "p").pilot(Command.Type.PILOT_EXCLUDE, "p", before);
        lab.idle("q");

        assertThat(pilots()).isEqualTo(1);
        PilotRecord known = lab.store.get(Tables.PILOT, "p");
        assertThat(known).isNull();
    }
}
