package dev.weir.cli;

import dev.weir.job.start.StartFrom;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./weir cluster restore}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Submits Weir's jobs as ./weir submit does, but never with empty state: without a checkpoint or savepoint it is refused.",
            "",
            "The settings may differ from those before the savepoint."
        },
        footer = {
            "",
            "Example: ./weir cluster restore --config flink-conf/weir.yaml --from schedule=/backup/schedule/savepoint-5e0c12"
        })
final class ClusterRestoreCommand implements Callable<Integer> {

    @Mixin
    private SubmitOptions options;

    @Override
    public Integer call() throws IOException {
        return options.submit(StartFrom.NEWEST, true);
    }
}
