package dev.weir.cli;

import dev.weir.job.start.StartFrom;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./weir submit}: Weir's jobs to a session cluster. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Submits Weir's jobs to a Flink session cluster, through its REST API, and waits until all their tasks run.",
            "",
            "Each job continues from its newest complete checkpoint or savepoint below execution.checkpointing.dir, as the cluster sees"
                    + " it, and starts with empty state only if there is none. The settings, with the values of environment"
                    + " variables and the passwords, are sent with the request: use https beyond a trusted network. For a"
                    + " certificate of your own set -Djavax.net.ssl.trustStore in WEIR_JAVA_OPTS."
        },
        footer = {
            "",
            "Example: ./weir submit --config flink-conf/weir.yaml --rest http://jobmanager:8081",
            "",
            "The same jar, job/weir-job.jar (in a checkout job/target/cluster/weir-job.jar), works with Flink's own commands:",
            "    flink run -d weir-job.jar --config weir.yaml"
        })
final class SubmitCommand implements Callable<Integer> {

    @Mixin
    private SubmitOptions options;

    @Option(
            names = "--fresh",
            description =
                    "Start with empty state. The earlier checkpoints are renamed, not deleted; the open tasks are lost.")
    private boolean fresh;

    @Override
    public Integer call() throws IOException {
        return options.submit(fresh ? StartFrom.EMPTY : StartFrom.NEWEST, false);
    }
}
