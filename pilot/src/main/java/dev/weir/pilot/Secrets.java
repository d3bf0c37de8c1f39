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
     * Hides the values of all variables that begin with {@code WEIR_} from the programs of jobs.
     *
     * @throws IOException when one of them is a secret, and it cannot be done
     */
    static void hide() throws IOException {
        Exception failure = null;
        try {
            Environment.hideOwn();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
        String url = System.getenv().getOrDefault(BrokerUrl.VARIABLE, "");
        check(failure, BrokerUrl.VARIABLE, BrokerUrl.hasSecret(url) ? url : "", "--amqp-file");
        check(
                failure,
                GatewayAddress.VARIABLE,
                System.getenv().getOrDefault(GatewayAddress.VARIABLE, ""),
                "--token-file");
    }

    /**
     * What may be still shown.
     *
     * @param secret empty for none
     * @param better the option to use instead
     */
    private static void check(Exception failure, String variable, String secret, String better) throws IOException {
        if (secret.isEmpty()) {
            return;
        }
        if (failure != null) {
            throw new IOException(
                    "the secret in " + variable + " cannot be hidden from jobs on this system (" + failure.getMessage()
                            + "); use " + better + ", and leave the variable empty",
                    failure);
        }
        List<Long> others = Environment.showing(secret);
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
