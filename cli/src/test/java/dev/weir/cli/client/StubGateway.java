package dev.weir.cli.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.cli.Weir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A gateway that answers as it is told, and the commands before it. */
final class StubGateway implements AutoCloseable {

    private final HttpServer server;
    private final Path access;
    private final Map<String, Given> answers = new ConcurrentHashMap<>();
    /** Methods and paths with their queries, in the order in which they came. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    private record Given(int status, String body) {}

    /** What a command printed, and its exit code. */
    record Said(int exit, String out, String err) {}

    StubGateway(Path directory) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        access = directory.resolve("access.json");
        Files.deleteIfExists(access);
        new Access(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), "token").keep(access);
    }

    /** What is answered at a path; elsewhere it is 404. */
    StubGateway at(String path, int status, String body) {
        answers.put(path, new Given(status, body));
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        asked.add(exchange.getRequestMethod() + " " + uri);
        Given given = answers.getOrDefault(uri.getPath(), new Given(404, "{\"detail\": \"there is nothing\"}"));
        byte[] body = given.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(given.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Runs a command that reads, whose output goes to a terminal, or to a file. */
    Said weir(boolean terminal, String... words) {
        return run(words, asking -> asking.terminal = () -> terminal);
    }

    /** Runs a command that changes something. */
    Said change(String... words) {
        return run(words, asking -> {});
    }

    private Said run(String[] words, Consumer<Asking> before) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine weir = Weir.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    return 1;
                });
        CommandLine outer = weir.getSubcommands().get(words[0]);
        CommandSpec command =
                outer.getSubcommands().getOrDefault(words[1], outer).getCommandSpec();
        if (command.mixins().get("asking") != null) {
            before.accept((Asking) command.mixins().get("asking").userObject());
        }
        int exit = weir.execute(line(words));
        return new Said(exit, out.toString(), err.toString());
    }

    /** A command line that asks this gateway. */
    String[] line(String... words) {
        return Stream.concat(Stream.of(words), Stream.of("--access", access.toString()))
                .toArray(String[]::new);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
