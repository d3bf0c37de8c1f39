package dev.weir.pilot;

import dev.weir.pilot.broker.BrokerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * Finds the broker's URL, with its password, which the programs of jobs, that run as the same user, must not find in the pilot's
 * command line.
 */
final class BrokerUrl {

    static final String VARIABLE = "WEIR_AMQP_URL";

    /** RabbitMQ takes its well-known password guest from the local machine only, so that one is no secret. */
    private static final Pattern WITH_SECRET = Pattern.compile("[^/]*//[^/]*:(?!guest@)[^/]*@.*", Pattern.DOTALL);

    private BrokerUrl() {}

    static boolean hasSecret(String url) {
        return WITH_SECRET.matcher(url).matches();
    }

    /**
     * From the first source that there is: the option, the file, the environment, else the broker on this machine.
     *
     * @param option null when not given; may hold no password
     * @param file null when not given; {@code -} for standard input
     * @throws IllegalArgumentException when an option is wrong
     * @throws IOException when the file cannot be read
     */
    static String find(String option, String file, InputStream standardInput) throws IOException {
        if (option != null && file != null) {
            throw new IllegalArgumentException("give --amqp or --amqp-file, not both");
        }
        if (option != null && hasSecret(option)) {
            throw new IllegalArgumentException(
                    "a password in --amqp is shown to everyone on this machine, and to every job;"
                            + " use --amqp-file or the environment variable " + VARIABLE);
        }
        String variable = System.getenv().getOrDefault(VARIABLE, "");
        if (option != null) {
            return option;
        }
        if (file != null) {
            return Secrets.firstLine("--amqp-file", file, "URL", standardInput);
        }
        return variable.isEmpty() ? BrokerSettings.LOCAL_URL : variable;
    }
}
