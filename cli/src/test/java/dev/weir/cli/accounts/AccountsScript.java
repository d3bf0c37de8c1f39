package dev.weir.cli.accounts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code flink-conf/rabbitmq-accounts}, as an operator runs it. */
record AccountsScript(int exitCode, String output, String errors) {

    private static final Path SCRIPT = Path.of("..", "flink-conf", "rabbitmq-accounts");

    /** Runs it in a directory, with these variables and no others of its own. */
    static AccountsScript run(Path directory, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("sh", SCRIPT.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.matches(".*_(USER|PASSWORD|PASSWORD_FILE|POOLS)"));
        builder.environment().putAll(environment);
        Path output = Files.createTempFile(directory, "accounts", ".json");
        Path errors = Files.createTempFile(directory, "accounts", ".errors");
        Process process = builder.redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the script does not end");
        }
        return new AccountsScript(
                process.exitValue(),
                Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }
}
