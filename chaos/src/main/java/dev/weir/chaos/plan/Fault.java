package dev.weir.chaos.plan;

import java.time.Duration;
import java.util.List;

/**
 * One fault.
 *
 * @param lasts from its begin until its target comes back, or is started again; from 1 s
 */
public record Fault(Target target, How how, Duration lasts) {

    /** A fault without its duration. */
    public record Kind(Target target, How how) {

        /** All that can happen; {@code cluster} says whether JobManager and TaskManager are processes of their own. */
        public static List<Kind> all(boolean cluster, boolean disk) {
            List<Kind> kinds = new java.util.ArrayList<>();
            List<Target> weir = cluster ? List.of(Target.TASK_MANAGER, Target.JOB_MANAGER) : List.of(Target.WEIR);
            for (Target target : weir) {
                kinds.add(new Kind(target, How.KILLED));
                kinds.add(new Kind(target, How.PAUSED));
            }
            for (Target target :
                    List.of(Target.RABBITMQ, Target.POSTGRES, Target.GATEWAY, Target.PILOT, Target.HTTP_PILOT)) {
                kinds.add(new Kind(target, How.KILLED));
                kinds.add(new Kind(target, How.PAUSED));
            }
            for (How how : List.of(How.AWAY, How.SLOW, How.GARBAGE)) {
                kinds.add(new Kind(Target.DSM, how));
            }
            if (disk) {
                kinds.add(new Kind(Target.CHECKPOINTS, How.FULL));
            }
            return List.copyOf(kinds);
        }
    }

    @Override
    public String toString() {
        return target + " " + how + " for " + lasts.toSeconds() + " s";
    }
}
