package dev.weir.cli;

import dev.weir.cli.cluster.ClusterState;
import dev.weir.cli.console.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./weir cluster status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Shows processes, slots and jobs of the cluster on this machine.",
            "",
            "The exit code is 0 if the JobManager answers and every process that was started lives and is known to it; else 1."
        })
final class ClusterStatusCommand implements Callable<Integer> {

    @Mixin
    private ClusterData data;

    @Option(names = "--json", description = "Print it as one JSON line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ClusterState state = data.cluster().state();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonLine.print(out, state);
        } else {
            print(state, out);
        }
        return state.processes().isEmpty() || !state.isWhole() ? 1 : 0;
    }

    private void print(ClusterState state, PrintWriter out) {
        if (state.processes().isEmpty()) {
            out.println("No cluster runs in " + data.files().root() + ".");
        }
        state.processes()
                .forEach(process -> out.printf(
                        "%-16s %-10s %s%n",
                        process.name(), process.pid() == null ? "ended" : "pid " + process.pid(), process.log()));
        if (state.version() != null) {
            out.println("Flink " + state.version() + " at " + state.rest() + ": " + state.registered()
                    + " TaskManagers, " + state.free() + " of " + state.slots() + " slots free");
            state.jobs().forEach(job -> out.printf("%-16s %-10s %s%n", job.name(), job.state(), job.id()));
        } else if (!state.processes().isEmpty()) {
            out.println("The JobManager does not answer at " + state.rest());
        }
        out.flush();
    }
}
