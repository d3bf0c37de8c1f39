package dev.weir.job;

import dev.weir.job.start.JobStart;
import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The entry point on a Flink cluster: prepares broker and database, then starts the schedule job and, unless it is switched off, the
 * mirror job. Each job continues from its newest complete checkpoint, so a JobManager can be restarted at any time. Called as
 * {@value MainArguments#USAGE}; without {@code --config} and {@code --set} the file is {@value MainArguments#DEFAULT_FILE}.
 */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws Exception {
        MainArguments arguments = MainArguments.parse(args);
        Configuration configuration = configuration(arguments);
        List<WeirJob> jobs = WeirJob.of(configuration).stream()
                .filter(job -> arguments.job().map(job.name()::equals).orElse(true))
                .toList();
        StartFrom from = arguments.from().withFlinksOwn(configuration, jobs);
        if (arguments.restore()) {
            for (WeirJob job : jobs) {
                JobStart.requireCheckpoint(job, configuration, from);
            }
        }
        Services.prepare(configuration, from, jobs);
        for (WeirJob job : jobs) {
            JobStart start = JobStart.decide(job, configuration, from, Main::waysOut);
            var unused = start.environment().executeAsync(job.title());
        }
    }

    /** Advice for the operator of a JobManager, which is usually restarted with the same arguments. */
    static String waysOut(String job) {
        return "give dev.weir.job.Main (after -- on the JobManager's command line, or as arguments of the command that submits the"
                + " jobs), for one start only, --accept-loss to continue from the newest one that can be read and lose what was"
                + " acknowledged since; or --from " + job
                + "=PATH to name one; or --fresh to start all jobs with empty state and lose the open tasks";
    }

    /** The cluster's configuration, overridden by the file and the given settings, with Weir's defaults for what none sets. */
    static Configuration configuration(MainArguments arguments) throws IOException {
        Configuration all = Configuration.fromMap(StreamExecutionEnvironment.getExecutionEnvironment()
                .getConfiguration()
                .toMap());
        if (arguments.file().isPresent()) {
            all.addAll(ConfigFile.read(arguments.file().get()));
        }
        all.addAll(Configuration.fromMap(arguments.settings()));
        return FlinkDefaults.under(all);
    }
}
