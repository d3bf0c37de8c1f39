package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.weir.cli.console.Table;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./weir pools}. */
@Command(
        name = "pools",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists the pools with their pilots, open tasks and files; the commands below steer them.",
        footer = {"", "Example: ./weir pools --watch", "         ./weir pools pause gpu"},
        subcommands = {PoolsCommand.Pause.class, PoolsCommand.Resume.class, PoolsCommand.Drain.class})
public final class PoolsCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Option(names = "--watch", description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public Integer call() throws IOException {
        GatewayClient gateway = asking.gateway();
        asking.show(
                width -> lines(
                        new Pages((ArrayNode) gateway.get("pool", Map.of()).withArray("data"), false), width),
                watch);
        return 0;
    }

    private List<String> lines(Pages pools, int width) {
        return asking.json() ? List.of(pools.json()) : table(pools.data(), width);
    }

    /** The pools as lines. */
    static List<String> table(JsonNode pools, int width) {
        Table table = new Table(
                "pool",
                "#busy",
                "#idle",
                "#draining",
                "#lost",
                "#tasks",
                "#waiting",
                "#files waiting",
                "#out",
                "#cooling");
        for (JsonNode pool : pools) {
            JsonNode pilots = pool.path("pilots");
            JsonNode tasks = pool.path("tasks");
            JsonNode jobs = pool.path("jobs");
            table.row(
                    Shown.text(pool, "name"),
                    Shown.text(pilots, "busy"),
                    Shown.text(pilots, "idle"),
                    Shown.text(pilots, "draining"),
                    Shown.text(pilots, "lost"),
                    Shown.text(tasks, "open"),
                    Shown.text(tasks, "waiting"),
                    Shown.text(jobs, "waiting"),
                    String.valueOf(Shown.out(jobs)),
                    Shown.text(jobs, "cooling"));
        }
        return pools.isEmpty() ? List.of("No pool has a pilot or an open task.") : table.lines(width);
    }

    /** {@code ./weir pools pause}. */
    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Sends nothing more to the pools' pilots. Jobs that were sent before run to their end.")
    static final class Pause extends NamedAction {
        Pause() {
            super("pool", "paused");
        }
    }

    /** {@code ./weir pools resume}. */
    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Sends jobs to the pools' pilots again.")
    static final class Resume extends NamedAction {
        Resume() {
            super("pool", "resumed");
        }
    }

    /** {@code ./weir pools drain}. */
    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Sends no fresh files to the pools' pilots. Further attempts of failed jobs go on.")
    static final class Drain extends NamedAction {
        Drain() {
            super("pool", "drained");
        }
    }
}
