package dev.weir.cli.cluster;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts one process of a cluster that outlives this one. */
final class FlinkProcess {

    private static final String OUTPUT = "output";

    /** A hang-up of the terminal and Ctrl-C in a script do not end what it becomes: what is ignored stays so, in shells and in Java. */
    private static final String OUTLIVES = "trap '' HUP INT; exec \"$@\"";

    private FlinkProcess() {}

    /**
     * Starts {@code flink-process}, which becomes the JVM.
     *
     * @param role {@code session-jobmanager} or {@code session-taskmanager}
     * @param configuration directory of config.yaml
     * @param logs for its log, and for what it prints
     * @param settings that override config.yaml
     */
    static Process start(Home home, String role, Path configuration, Path logs, Map<String, String> settings)
            throws IOException {
        Files.createDirectories(logs);
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", OUTLIVES, "sh", home.flinkProcess().toString(), role));
        settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(logs.resolve(OUTPUT).toFile())
                .directory(logs.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("WEIR_CONF", configuration.toAbsolutePath().toString());
        environment.put("WEIR_LOG", logs.toString());
        environment.put("WEIR_CONSOLE_LEVEL", "off");
        // Meant for this command; the memory of Flink's processes is in config.yaml.
        environment.remove("WEIR_JAVA_OPTS");
        return builder.start();
    }

    /** What it printed last, for a message about its end. */
    static String lastWords(Path logs) throws IOException {
        Path output = logs.resolve(OUTPUT);
        if (!Files.exists(output)) {
            return "";
        }
        return Files.readAllLines(output).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((earlier, later) -> later)
                .orElse("");
    }
}
