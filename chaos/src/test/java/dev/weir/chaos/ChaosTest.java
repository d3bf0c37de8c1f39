package dev.weir.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.chaos.hostile.Spoiling;
import dev.weir.chaos.plan.Fault;
import dev.weir.chaos.plan.How;
import dev.weir.chaos.plan.Step;
import dev.weir.chaos.plan.Target;
import dev.weir.chaos.world.World;
import dev.weir.testing.PrivateRabbit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./weir chaos} does for hours, in a minute: the faults that sites meet most often. */
@Timeout(420)
class ChaosTest {

    private static final int FILES = 600;

    private static final int BAD_MESSAGES = 3_000;
    /** For machines that do much else. */
    private static final Duration WITHIN = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    private static Step step(int number, boolean again, Fault... faults) {
        return new Step(number, Duration.ofSeconds(1), List.of(faults), again);
    }

    private static Fault fault(Target target, How how, int seconds) {
        return new Fault(target, how, Duration.ofSeconds(seconds));
    }

    @Test
    void everyFileAndItemHasOneOutcomeWhateverIsSentAndWhateverHappensToTheProcessesAroundIt() throws Exception {
        assumeTrue(PrivateRabbit.isInstalled());
        List<Step> plan = List.of(
                step(1, false, fault(Target.WEIR, How.KILLED, 1)),
                step(2, false, fault(Target.POSTGRES, How.PAUSED, 5), fault(Target.DSM, How.GARBAGE, 5)),
                step(3, false, fault(Target.RABBITMQ, How.KILLED, 1), fault(Target.PILOT, How.KILLED, 1)),
                step(4, false, fault(Target.POSTGRES, How.KILLED, 2), fault(Target.GATEWAY, How.KILLED, 2)),
                step(5, false, fault(Target.GATEWAY, How.PAUSED, 2), fault(Target.HTTP_PILOT, How.KILLED, 1)));
        List<String> said = new ArrayList<>();
        try (World world = new World(directory, false, FILES)) {
            HostileRun hostile = new HostileRun(world, said::add);

            hostile.run(BAD_MESSAGES, 0, 1);

            assertThat(hostile.violations())
                    .as("%s, logs in %s", said, world.logs())
                    .isEmpty();
            assertThat(hostile.sums())
                    .hasSameSizeAs(Spoiling.values())
                    .allSatisfy(kind -> assertThat(
                                    kind.rejected() > 0 || kind.spoiling().equals(Spoiling.REPLAY.toString()))
                            .as(kind.toString())
                            .isTrue());
            assertThat(hostile.rates()).allSatisfy(rate -> assertThat(rate).isPositive());

            ChaosRun run = new ChaosRun(world, WITHIN, said::add);

            run.run(plan);

            assertThat(run.violations())
                    .as("%s, logs in %s", said, world.logs())
                    .isEmpty();
            assertThat(run.steps()).hasSize(plan.size());
            assertThat(run.steps().get(1).attemptsMeanwhile())
                    .as("jobs while the database was away")
                    .isGreaterThan(run.steps().get(1).jobsKnown());
            assertThat(world.finishedByHttp())
                    .as("jobs whose results came by HTTP")
                    .isPositive();
            assertThat(run.steps().get(1).itemsMeanwhile())
                    .as("items while the database was away")
                    .isPositive();
            assertThat(world.items().accepted()).as("items").isGreaterThan(100);
            assertThat(world.answers().answers()).as("answers").isGreaterThan(100);
            assertThat(world.answers().lookups())
                    .as("lookups")
                    .isLessThan(world.answers().answers());
            assertThat(world.wfms().tasks()).hasSizeGreaterThanOrEqualTo(4);
        }
    }
}
