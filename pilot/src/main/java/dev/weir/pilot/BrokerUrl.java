package dev.weir.pilot;

import dev.weir.pilot.broker.BrokerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the broker's URL, with its password, and sees to it that the programs of jobs, which run as the same user, find the
 * password neither in the pilot's command line nor in its environment.
 */
final class BrokerUrl {

    static final String VARIABLE = "WEIR_AMQP_URL";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerUrl.class);
    private static final String STANDARD_INPUT = "-";

    /** RabbitMQ takes its well-known password guest from the local machine only, so that one is no secret. */
    private static final Pattern WITH_SECRET = Pattern.compile("[^/]*//[^/]*:(?!guest@)[^/]*@.*", Pattern.DOTALL);

    private BrokerUrl() {}

    /**
     * From the first source that there is: the option, the file, the environment, else the broker on this machine.
     *
     * @param option null when not given; may hold no password
     * @param file null when not given; {@code -} for standard input
     * @throws IllegalArgumentException when an option is wrong
     * @throws IOException when there is a password that cannot be hidden
     */
    static String find(String option, String file, InputStream standardInput) throws IOException {
        if (option != null && file != null) {
            throw new IllegalArgumentException("give --amqp or --amqp-file, not both");
        }
        if (option != null && WITH_SECRET.matcher(option).matches()) {
            throw new IllegalArgumentException(
                    "a password in --amqp is shown to everyone on this machine, and to every job;"
                            + " use --amqp-file or the environment variable " + VARIABLE);
        }
        String variable = System.getenv().getOrDefault(VARIABLE, "");
        if (!variable.isEmpty()) {
            hide(variable);
        }
        if (option != null) {
            return option;
        }
        if (file != null) {
            return read(file, standardInput);
        }
        return variable.isEmpty() ? BrokerSettings.LOCAL_URL : variable;
    }

    private static void hide(String variable) throws IOException {
        boolean secret = WITH_SECRET.matcher(variable).matches();
        try {
            Environment.hideOwn();
        } catch (IOException | RuntimeException e) {
            if (secret) {
                throw new IOException(
                        "the password in " + VARIABLE + " cannot be hidden from jobs on this system (" + e.getMessage()
                                + "); use --amqp-file, and leave the variable empty",
                        e);
            }
        }
        List<Long> others = secret ? Environment.showing(variable) : List.of();
        if (!others.isEmpty()) {
            LOG.warn(
                    "Jobs can read the broker's password in the environment of processes {}; start the pilot with"
                            + " --amqp-file instead of {}",
                    others,
                    VARIABLE);
        }
    }

    private static String read(String file, InputStream standardInput) throws IOException {
        try (InputStream in = file.equals(STANDARD_INPUT) ? standardInput : Files.newInputStream(Path.of(file));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            if (line == null || line.isBlank()) {
                throw new IllegalArgumentException("--amqp-file " + file + " has no URL in its first line");
            }
            return line.strip();
        } catch (IOException e) {
            throw new IOException("--amqp-file " + file + " cannot be read: " + e, e);
        }
    }
}
