package dev.weir.job;

import dev.weir.job.mirror.MirrorJob;
import dev.weir.job.options.MirrorOptions;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * What a Flink cluster runs: prepares broker and database, then starts the schedule job and, unless it is switched off, the mirror
 * job. Called as {@code Main [--config FILE]}; the file is {@code /opt/weir/flink-conf/weir.yaml} by default.
 */
public final class Main {

    private static final String DEFAULT_FILE = "/opt/weir/flink-conf/weir.yaml";

    private Main() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 0 && (args.length != 2 || !args[0].equals("--config"))) {
            throw new IllegalArgumentException("usage: Main [--config FILE]");
        }
        Configuration configuration =
                FlinkDefaults.under(ConfigFile.read(Path.of(args.length == 0 ? DEFAULT_FILE : args[1])));
        Services.prepare(configuration);
        start(ScheduleJob.NAME, configuration, ScheduleJob::define);
        if (configuration.get(MirrorOptions.ENABLED)) {
            start(MirrorJob.NAME, configuration, MirrorJob::define);
        }
    }

    /** Attaches one job's operators; does not run it. */
    private interface Graph {
        void define(StreamExecutionEnvironment environment, Configuration configuration);
    }

    private static void start(String name, Configuration configuration, Graph graph) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        graph.define(environment, configuration);
        var unused = environment.executeAsync(name);
    }
}
