package dev.weir.job.start;

import dev.weir.job.ScheduleJob;
import dev.weir.job.mirror.MirrorJob;
import dev.weir.job.options.MirrorOptions;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * A job by name.
 *
 * @param name of its directory and in {@code --from}
 * @param title shown in the web UI
 */
public record WeirJob(String name, String title, JobDefinition definition) {

    public static final WeirJob SCHEDULE = new WeirJob("schedule", ScheduleJob.NAME, ScheduleJob::define);
    public static final WeirJob MIRROR = new WeirJob("mirror", MirrorJob.NAME, MirrorJob::define);

    /** The jobs to run, in starting order: both, or only the first if the mirror is switched off. */
    public static List<WeirJob> of(Configuration configuration) {
        return configuration.get(MirrorOptions.ENABLED) ? List.of(SCHEDULE, MIRROR) : List.of(SCHEDULE);
    }
}
