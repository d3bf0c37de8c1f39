package dev.weir.job;

import dev.weir.job.start.JobStart;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * What a Flink cluster runs: prepares broker and database, then starts the schedule job and, unless it is switched off, the mirror
 * job. Each goes on from its newest complete checkpoint, so that a JobManager may be started again at any time. Called as
 * {@value MainArguments#USAGE}; the file is {@value MainArguments#DEFAULT_FILE} by default.
 */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        MainArguments arguments = MainArguments.parse(args);
        Configuration configuration = configuration(arguments.file());
        StartFrom from = arguments.from().withFlinksOwn(configuration);
        Services.prepare(configuration);
        for (WeirJob job : WeirJob.of(configuration)) {
            JobStart start = JobStart.decide(job, configuration, from, Main::waysOut);
            var unused = start.environment().executeAsync(job.title());
        }
    }

    /** For whoever started the JobManager, which is mostly started again and again with the same arguments. */
    static String waysOut(String job) {
        return "give dev.weir.job.Main (after -- on the JobManager's command line) --from " + job
                + "=PATH, which goes on from an older one and forgets what came since; or --fresh, for one start only,"
                + " with which all jobs start empty and forget the tasks under way";
    }

    /** The cluster's own configuration, the file over it, and Weir's defaults where both are silent. */
    static Configuration configuration(Path file) throws IOException {
        Configuration all = Configuration.fromMap(StreamExecutionEnvironment.getExecutionEnvironment()
                .getConfiguration()
                .toMap());
        all.addAll(ConfigFile.read(file));
        return FlinkDefaults.under(all);
    }
}
