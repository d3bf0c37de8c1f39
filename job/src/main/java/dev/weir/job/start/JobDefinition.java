package dev.weir.job.start;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Attaches a job's sources, operators and sinks to an environment; does not run it. */
@FunctionalInterface
public interface JobDefinition {

    void define(StreamExecutionEnvironment environment, Configuration configuration);
}
