package dev.weir.job.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Reads a secret from the file that one option names, or else from another option. Never logs it. */
public final class Secrets {

    private Secrets() {}

    /** The secret; null if neither option is set. Throws, naming the file, if it cannot be read. */
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

    /** Weir's options without secrets and addresses that may contain secrets: safe inside a job graph. */
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
