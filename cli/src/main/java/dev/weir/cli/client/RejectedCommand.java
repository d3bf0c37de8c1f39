package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.Printable;
import dev.weir.cli.console.Table;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./weir rejected}. */
@Command(
        name = "rejected",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows messages that Weir rejected, sends them again, and drops them; for operators.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Example: ./weir rejected list",
            "         ./weir rejected show ID >message.json",
            "         ./weir rejected resend ID --body message.json",
            "         ./weir rejected drop ID"
        },
        subcommands = {
            RejectedCommand.Overview.class,
            RejectedCommand.Showing.class,
            RejectedCommand.Resending.class,
            RejectedCommand.Dropping.class
        })
public final class RejectedCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Called without a command, which is an error. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is required: list, show, resend or drop.");
    }

    private static String path(String id) {
        return "rejected/" + GatewayClient.part(id);
    }

    /** {@code ./weir rejected list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Lists rejected messages, the oldest first. They stay where they are.")
    static final class Overview implements Callable<Integer> {

        @Mixin
        private Asking asking;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "Most messages to list, up to 1000. Default: ${DEFAULT-VALUE}.")
        private int limit;

        @Override
        public Integer call() throws IOException {
            GatewayClient gateway = asking.gateway();
            asking.show(width -> lines(gateway, width), false);
            return 0;
        }

        private List<String> lines(GatewayClient gateway, int width) throws IOException {
            JsonNode answer = gateway.get("rejected", Map.of("limit", limit));
            if (asking.json()) {
                return List.of(answer.toString());
            }
            Instant now = Instant.now();
            Table table = new Table("message", "came", "on", "#bytes", "reason");
            for (JsonNode message : answer.path("data")) {
                table.row(
                        Shown.text(message, "id"),
                        Shown.ago(message, "received_at", now),
                        Shown.text(message, "queue"),
                        Shown.text(message, "bytes"),
                        Shown.text(message, "reason"));
            }
            int shown = answer.path("data").size();
            List<String> lines =
                    new ArrayList<>(shown == 0 ? List.of("There is no rejected message.") : table.lines(width));
            if (answer.path("messages").asInt() > shown) {
                lines.add("There are " + answer.path("messages").asText() + "; --limit shows up to 1000.");
            }
            return lines;
        }
    }

    /** {@code ./weir rejected show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Prints what was rejected, as it came; its first 64 KiB.",
                "",
                "On a terminal, characters that it would obey are shown as ?; a file or another program gets them as they are."
            })
    static final class Showing implements Callable<Integer> {

        @Mixin
        private Asking asking;

        @Parameters(paramLabel = "ID", description = "Id of the message, as the list has it.")
        private String id;

        @Override
        public Integer call() throws IOException {
            String text = asking.gateway().text(path(id));
            if (asking.json()) {
                asking.tell(GatewayClient.JSON.createObjectNode().put("message", text), text);
            } else {
                asking.tellAsItIs(text);
            }
            return 0;
        }
    }

    /** {@code ./weir rejected resend}. */
    @Command(
            name = "resend",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Sends a rejected message to its queue again, as it is or corrected, and takes it from the rejected ones.",
                "",
                "Weir checks it anew: if something is still wrong with it, it comes back as rejected."
            })
    static final class Resending implements Callable<Integer> {

        @Mixin
        private Asking asking;

        @Parameters(paramLabel = "ID", description = "Id of the message, as the list has it.")
        private String id;

        @Option(names = "--body", paramLabel = "FILE", description = "The corrected message, sent in its place.")
        private Path body;

        @Override
        public Integer call() throws IOException {
            JsonNode answer = asking.gateway().post(path(id) + "/resend", body == null ? null : Files.readString(body));
            asking.tell(answer, "message " + id + ": sent to " + Shown.text(answer, "queue"));
            return 0;
        }
    }

    /** {@code ./weir rejected drop}. */
    @Command(
            name = "drop",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Deletes a rejected message, after showing how it begins and asking.",
                "",
                "Only its begin stays, in the gateway's audit log; ./weir rejected show prints it before."
            })
    static final class Dropping implements Callable<Integer> {

        private static final int SHOWN = 200;

        @Mixin
        private Asking asking;

        @Parameters(paramLabel = "ID", description = "Id of the message, as the list has it.")
        private String id;

        @Option(names = "--yes", description = "Do not ask.")
        private boolean yes;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            GatewayClient gateway = asking.gateway();
            if (!yes && !isWanted(gateway.text(path(id)))) {
                return 1;
            }
            JsonNode answer = gateway.delete(path(id));
            asking.tell(answer, "message " + id + ": dropped");
            return 0;
        }

        private boolean isWanted(String message) {
            Console console = System.console();
            if (console == null) {
                throw new ParameterException(
                        spec.commandLine(), "there is no terminal to ask on; --yes drops it without asking");
            }
            String begin = Printable.line(message.substring(0, Math.min(SHOWN, message.length())));
            String answer = console.readLine("It begins: %s%nDrop it for good? [y/N] ", begin);
            return answer != null && answer.strip().equalsIgnoreCase("y");
        }
    }
}
