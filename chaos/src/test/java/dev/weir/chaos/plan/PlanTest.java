package dev.weir.chaos.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final List<Fault.Kind> KINDS = Fault.Kind.all(true, true);

    private static List<Step> draw(long seed) {
        return Plan.draw(seed, 100, LONGEST, KINDS);
    }

    @Test
    void theSameSeedGivesTheSameFaultsAndAnotherSeedOthers() {
        assertThat(draw(7)).isEqualTo(draw(7)).isNotEqualTo(draw(8));
    }

    @Test
    void everyPlanHasTheNumberOfFaultsThatWasAskedForWithinTheirLimits() {
        for (long seed = 0; seed < 200; seed++) {
            List<Step> steps = draw(seed);
            assertThat(steps.stream().mapToInt(Step::size).sum()).isEqualTo(100);
            assertThat(steps)
                    .allSatisfy(step -> assertThat(step.faults())
                            .allSatisfy(fault -> assertThat(fault.lasts()).isBetween(Duration.ofSeconds(1), LONGEST)));
        }
    }

    @Test
    void everyKindOfFaultComesAndSomeComeInPairsOfTwoTargetsOrAgain() {
        List<Step> steps = LongStream.range(0, 3)
                .boxed()
                .flatMap(seed -> draw(seed).stream())
                .toList();

        assertThat(steps.stream()
                        .flatMap(step -> step.faults().stream())
                        .map(fault -> new Fault.Kind(fault.target(), fault.how())))
                .containsAll(KINDS);
        assertThat(steps).anySatisfy(step -> assertThat(step.again()).isTrue());
        assertThat(steps).anySatisfy(step -> assertThat(step.faults()).hasSize(2));
        assertThat(steps)
                .allSatisfy(step ->
                        assertThat(step.faults().stream().map(Fault::target)).doesNotHaveDuplicates());
    }
}
