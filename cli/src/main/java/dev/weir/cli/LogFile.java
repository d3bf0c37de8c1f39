package dev.weir.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.logging.log4j.core.config.Configurator;

/** Sends this process's log to a file, so that the terminal shows only tables, progress and warnings. */
final class LogFile {

    private LogFile() {}

    /** Logs to {@code weir.log} in this directory from now on; the directory is made if absent. */
    static Path in(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve("weir.log").toAbsolutePath();
        System.setProperty("weir.log.file", file.toString());
        // Flink's web UI shows this file under the JobManager's logs.
        System.setProperty("log.file", file.toString());
        Configurator.reconfigure(layout());
        return file;
    }

    private static URI layout() throws IOException {
        try {
            return Objects.requireNonNull(LogFile.class.getResource("/log4j2-file.properties"))
                    .toURI();
        } catch (URISyntaxException e) {
            throw new IOException("the logging configuration log4j2-file.properties is missing from the class path", e);
        }
    }
}
