package dev.weir.cli.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./weir task send}. */
@Command(
        name = "send",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sends tasks, and shows the outcome of each. The exit code is 0 only if each was sent, and none refused or ignored.",
            "",
            "A task that was sent before is ignored. docs/PROTOCOL.md explains the fields of a task."
        },
        footer = {"", "Example: ./weir task send run7.json"})
final class TaskSendCommand implements Callable<Integer> {

    @Mixin
    private Changing changing;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Files of JSON, each with one task, an array of tasks, or a task after another; - is standard input.")
    private List<Path> files;

    @Override
    public Integer call() throws IOException {
        for (Path file : files) {
            try {
                send(file);
            } catch (IOException e) {
                changing.fail(e);
            }
        }
        return changing.end();
    }

    /** Sends what stands before a mistake in the file as well: each task is one message. */
    private void send(Path file) throws IOException {
        int number = 0;
        try (InputStream in = file.toString().equals("-") ? System.in : Files.newInputStream(file);
                JsonParser tokens = GatewayClient.JSON.createParser(in)) {
            for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
                if (token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
                    // The tasks of an array are read one by one, and so is what comes after it.
                    continue;
                }
                JsonNode task = tokens.readValueAsTree();
                number++;
                String uid = task.path("uid").asText();
                String name = uid.isEmpty() ? "task " + number + " of " + file : "task " + uid;
                changing.send(name, "POST", "task", task);
            }
        } catch (JsonProcessingException e) {
            throw new IOException(
                    file + " is not JSON after its first " + number + " tasks, line "
                            + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(),
                    e);
        }
        if (number == 0) {
            throw new IOException(file + " holds no task");
        }
    }
}
