package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.console.ConsoleWidth;
import dev.weir.cli.console.Output;
import dev.weir.cli.console.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of every command that asks a gateway. */
final class Asking {

    /** Between two looks of {@code --watch}. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(
            names = "--access",
            paramLabel = "FILE",
            defaultValue = "data/gateway/access.json",
            description =
                    "File with the gateway's address and a token, as ./weir up writes it; not read if WEIR_GATEWAY"
                            + " is set, with WEIR_TOKEN or WEIR_TOKEN_FILE. Default: ${DEFAULT-VALUE}.")
    private Path access;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "File with the certificates, in PEM, of the only authorities to trust with an https: gateway, in place of"
                            + " those that Java trusts; also WEIR_CA_FILE, or ca_file in the file of --access.")
    private Path authorities;

    @Option(names = "--json", description = "Print the gateway's answer as one line of JSON.")
    private boolean json;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    /** Whether standard output goes to a terminal. */
    BooleanSupplier terminal = Output::isTerminal;

    /** A look at something: its text, or its JSON. */
    interface Look {
        List<String> lines(int width) throws IOException;
    }

    GatewayClient gateway() throws IOException {
        return new GatewayClient(() -> Access.find(System.getenv(), access).trusting(authorities));
    }

    boolean json() {
        return json;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Prints the answer as a line of JSON if that is wanted, otherwise the text as a line. */
    void tell(JsonNode answer, String text) throws IOException {
        tellAsLine(json ? Printable.json(answer.toString()) : Printable.line(text));
    }

    void tellAsLine(String line) throws IOException {
        out().println(line);
        Output.flush(out());
    }

    /** Prints text of others as it is, or on a terminal as lines without what that would obey. */
    void tellAsItIs(String text) throws IOException {
        if (!terminal.getAsBoolean()) {
            out().print(text);
        } else if (!text.isEmpty()) {
            out().println(Printable.lines(text).stripTrailing());
        }
        Output.flush(out());
    }

    /** Prints what the look gives: once, or in place every two seconds until the process is stopped. */
    void show(Look look, boolean watch) throws IOException {
        boolean onTerminal = terminal.getAsBoolean();
        print(look.lines(width(onTerminal)));
        while (watch) {
            pause();
            List<String> lines = lookAgain(look, width(onTerminal));
            out().print(onTerminal ? CLEAR : "");
            print(lines);
        }
    }

    /** While the gateway restarts, or its database is away, that is what there is to see. */
    private List<String> lookAgain(Look look, int width) throws IOException {
        try {
            return look.lines(width);
        } catch (GatewayRefusal e) {
            if (!e.mayPass()) {
                throw e;
            }
            return failed(e);
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return failed(e);
        }
    }

    private List<String> failed(IOException e) {
        return List.of(
                json
                        ? GatewayClient.JSON
                                .createObjectNode()
                                .put("error", e.getMessage())
                                .toString()
                        : Printable.line(e.getMessage() + "; trying again"));
    }

    private void print(List<String> lines) throws IOException {
        lines.stream().map(line -> json ? Printable.json(line) : line).forEach(out()::println);
        Output.flush(out());
    }

    /** What goes to a file or another program is not shortened. */
    private static int width(boolean onTerminal) {
        if (!onTerminal) {
            return Integer.MAX_VALUE;
        }
        try (ConsoleWidth width = new ConsoleWidth()) {
            return width.columns();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while watching", e);
        }
    }
}
