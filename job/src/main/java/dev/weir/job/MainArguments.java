package dev.weir.job;

import dev.weir.job.start.StartFrom;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arguments of {@link Main}.
 *
 * @param file the weir.yaml
 */
record MainArguments(Path file, StartFrom from) {

    static final String USAGE = "Main [--config FILE] [--fresh | --from JOB=PATH ...] [--accept-loss]";
    static final String DEFAULT_FILE = "/opt/weir/flink-conf/weir.yaml";

    /** Throws IllegalArgumentException, with the usage, for invalid arguments. */
    static MainArguments parse(String... args) {
        Path file = Path.of(DEFAULT_FILE);
        boolean fresh = false;
        boolean acceptLoss = false;
        Map<String, String> from = new TreeMap<>();
        int next = 0;
        while (next < args.length) {
            String option = args[next++];
            switch (option) {
                case "--fresh" -> fresh = true;
                case "--accept-loss" -> acceptLoss = true;
                case "--config" -> file = Path.of(value(option, args, next++));
                case "--from" -> put(from, value(option, args, next++));
                default -> throw new IllegalArgumentException("unknown argument '" + option + "'; usage: " + USAGE);
            }
        }
        return new MainArguments(file, new StartFrom(fresh, from, acceptLoss));
    }

    private static String value(String option, String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(option + " needs a value; usage: " + USAGE);
        }
        return args[at];
    }

    private static void put(Map<String, String> from, String text) {
        int equals = text.indexOf('=');
        if (equals <= 0 || equals == text.length() - 1) {
            throw new IllegalArgumentException("--from needs JOB=PATH, not '" + text + "'; usage: " + USAGE);
        }
        if (from.put(text.substring(0, equals), text.substring(equals + 1)) != null) {
            throw new IllegalArgumentException("--from names " + text.substring(0, equals) + " twice");
        }
    }
}
