package dev.weir.cli;

import dev.weir.cli.console.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./weir cluster stop}. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Ends all processes of the cluster, within 20 s each or by force. Checkpoints and logs stay: Weir's jobs continue from their"
                    + " newest checkpoints when they are submitted again.",
            "",
            "A process is ended only if it is the one that was started: a process that has its id today is left alone."
        })
final class ClusterStopCommand implements Callable<Integer> {

    @Mixin
    private ClusterData data;

    @Option(names = "--json", description = "Print the ended processes as one JSON line: {\"ended\": [NAME, ...]}.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<String> ended = data.cluster().stop();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonLine.print(out, Map.of("ended", ended));
        } else {
            out.println(ended.isEmpty() ? "Nothing ran." : "Ended " + String.join(", ", ended) + ".");
            out.flush();
        }
        return 0;
    }
}
