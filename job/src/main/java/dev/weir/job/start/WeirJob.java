package dev.weir.job.start;

import dev.weir.job.ScheduleJob;
import dev.weir.job.mirror.MirrorJob;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.queues.QueueJob;
import java.util.List;
import java.util.stream.Collectors;
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

    public static final WeirJob QUEUES = new WeirJob("queues", QueueJob.NAME, QueueJob::define);

    /** All there are, in starting order: the mirror last, because no other waits for it. */
    public static final List<WeirJob> ALL = List.of(SCHEDULE, QUEUES, MIRROR);

    /** The jobs to run, in starting order: the mirror and the queues only if they are switched on. */
    public static List<WeirJob> of(Configuration configuration) {
        return ALL.stream().filter(job -> job.isOn(configuration)).toList();
    }

    private boolean isOn(Configuration configuration) {
        return equals(SCHEDULE)
                || equals(MIRROR) && configuration.get(MirrorOptions.ENABLED)
                || equals(QUEUES) && configuration.get(QueueOptions.ENABLED);
    }

    /** Whether there is a job with this name. */
    public static boolean isName(String name) {
        return ALL.stream().anyMatch(job -> job.name.equals(name));
    }

    /** The names of all, for people. */
    public static String names() {
        return ALL.stream().map(WeirJob::name).collect(Collectors.joining(", "));
    }
}
