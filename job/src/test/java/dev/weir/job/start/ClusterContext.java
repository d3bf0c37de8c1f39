package dev.weir.job.start;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Makes environments as an application cluster does: with its own configuration under that of the program. */
final class ClusterContext extends StreamExecutionEnvironment {

    private ClusterContext() {}

    static void enter(Configuration cluster) {
        initializeContextEnvironment(programs -> {
            Configuration merged = new Configuration(cluster);
            merged.addAll(programs);
            return new StreamExecutionEnvironment(merged);
        });
    }

    static void leave() {
        resetContextEnvironment();
    }
}
