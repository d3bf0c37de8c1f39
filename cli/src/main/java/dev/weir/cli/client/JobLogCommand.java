package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Printable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./weir job log}. A pilot says where its log is, so the gateway reads it, in places that are allowed there, and never this machine. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Prints the end of a job's log, at most 256 KiB, as the gateway reads it from the storage.",
            "",
            "On a terminal, characters that it would obey are shown as ?; a file or another program gets them as they are."
                    + " The gateway's setting weir.gateway.log-roots says where it reads logs (docs/GATEWAY.md)."
        })
final class JobLogCommand implements Callable<Integer> {

    @Mixin
    private Asking asking;

    @Parameters(paramLabel = "JOB", description = "Uid of the job.")
    private String job;

    @Option(
            names = "--attempt",
            paramLabel = "N",
            description =
                    "The log of this attempt, from 1; of one that finished, known when its job is over. Default: of the newest that has ended.")
    private Integer attempt;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Map<String, Object> query = new LinkedHashMap<>();
        query.put("attempt", attempt);
        JsonNode log = asking.gateway().get("job/" + GatewayClient.part(job) + "/log", query);
        String text = log.path("text").asText();
        if (asking.json()) {
            asking.tell(log, text);
            return 0;
        }
        asking.tellAsItIs(text);
        long from = log.path("from").asLong();
        if (from > 0) {
            long size = log.path("size").asLong();
            spec.commandLine()
                    .getErr()
                    .println("These are the last " + (size - from) + " of " + size
                            + " bytes; the whole log is at "
                            + Printable.line(log.path("file_log_url").asText()));
        }
        return 0;
    }
}
