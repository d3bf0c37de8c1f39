package dev.weir.chaos.plan;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Faults that begin at one moment.
 *
 * @param number from 1
 * @param pause in which all is well before it
 * @param faults one, or two with different targets
 * @param again whether the first fault comes again a moment after all are over, for a second: during the recovery
 */
public record Step(int number, Duration pause, List<Fault> faults, boolean again) {

    public Step {
        faults = List.copyOf(faults);
    }

    /** How many faults it has, the repeated one included. */
    public int size() {
        return faults.size() + (again ? 1 : 0);
    }

    /** The longest of its faults. */
    public Duration lasts() {
        return faults.stream().map(Fault::lasts).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Whether jobs are sent all the time in spite of it. */
    public boolean leavesDispatchAlone() {
        return faults.stream().allMatch(fault -> fault.target().isNotNeededToDispatch());
    }

    public boolean hits(Target target) {
        return faults.stream().anyMatch(fault -> fault.target() == target);
    }

    /** Whether Weir may go back to a checkpoint, and so forget what it answered since. */
    public boolean touchesMemory() {
        return faults.stream()
                .map(Fault::target)
                .anyMatch(target -> target.isWeir() || target == Target.RABBITMQ || target == Target.CHECKPOINTS);
    }

    @Override
    public String toString() {
        return faults.stream().map(Fault::toString).collect(Collectors.joining(", and "))
                + (again ? ", and again during the recovery" : "");
    }
}
