package dev.weir.job.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Reads a secret from the file that an option names, else from the option that holds it itself. Never logs one. */
public final class Secrets {

    private Secrets() {}

    /** The secret; null when neither option is set. Throws, naming the file, when it cannot be read. */
    public static String read(Configuration configuration, ConfigOption<String> file, ConfigOption<String> itself) {
        String path = configuration.get(file);
        if (path == null) {
            return configuration.get(itself);
        }
        try {
            return Files.readString(Path.of(path))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read the secret in " + path + ", which " + file.key() + " names: " + e.getMessage(), e);
        }
    }

    /** The options of Weir without those that hold secrets or addresses with secrets in them: safe inside a job graph. */
    public static Configuration without(Configuration configuration) {
        Configuration safe = new Configuration();
        configuration.toMap().forEach((key, value) -> {
            boolean secret = key.contains("password") || key.equals(AmqpOptions.URI.key());
            if (key.startsWith("weir.") && !secret) {
                safe.setString(key, value);
            }
        });
        return safe;
    }
}
