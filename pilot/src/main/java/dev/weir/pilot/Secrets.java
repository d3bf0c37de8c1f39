package dev.weir.pilot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Secrets of the pilot: the programs of jobs, which run as the same user, must not find them in its environment. */
final class Secrets {

    private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);
    private static final String STANDARD_INPUT = "-";

    private Secrets() {}

    /**
     * Hides the value of an environment variable from the programs of jobs.
     *
     * @param isSecret whether it matters
     * @param better the option to use instead
     * @throws IOException when it matters and cannot be done
     */
    static void hide(String variable, String value, boolean isSecret, String better) throws IOException {
        try {
            Environment.hideOwn();
        } catch (IOException | RuntimeException e) {
            if (isSecret) {
                throw new IOException(
                        "the secret in " + variable + " cannot be hidden from jobs on this system (" + e.getMessage()
                                + "); use " + better + ", and leave the variable empty",
                        e);
            }
        }
        List<Long> others = isSecret ? Environment.showing(value) : List.of();
        if (!others.isEmpty()) {
            LOG.warn(
                    "Jobs can read the secret in {} in the environment of processes {}; start the pilot with {} instead",
                    variable,
                    others,
                    better);
        }
    }

    /**
     * The first line of a file.
     *
     * @param file {@code -} for standard input
     * @param what it is
     */
    static String firstLine(String option, String file, String what, InputStream standardInput) throws IOException {
        try (InputStream in = file.equals(STANDARD_INPUT) ? standardInput : Files.newInputStream(Path.of(file));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            if (line == null || line.isBlank()) {
                throw new IllegalArgumentException(option + " " + file + " has no " + what + " in its first line");
            }
            return line.strip();
        } catch (IOException e) {
            throw new IOException(option + " " + file + " cannot be read: " + e, e);
        }
    }
}
