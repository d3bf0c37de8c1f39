package dev.weir.job;

import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WeirJob;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The arguments of {@link Main}.
 *
 * @param file the weir.yaml; empty if all settings are given
 * @param settings that override the file
 * @param job the only job to start; empty: all
 * @param restore whether a job without any checkpoint is an error
 */
record MainArguments(
        Optional<Path> file, Map<String, String> settings, Optional<String> job, StartFrom from, boolean restore) {

    static final String USAGE = "Main [--config FILE] [--set KEY=VALUE ...] [--job schedule|mirror|queues]"
            + " [--fresh | --from JOB=PATH ... | --restore] [--accept-loss]";
    static final String DEFAULT_FILE = "/opt/weir/flink-conf/weir.yaml";

    /** Throws IllegalArgumentException, with the usage, for invalid arguments. */
    static MainArguments parse(String... args) {
        Path file = null;
        String job = null;
        boolean fresh = false;
        boolean acceptLoss = false;
        boolean restore = false;
        Map<String, String> from = new TreeMap<>();
        Map<String, String> settings = new TreeMap<>();
        int next = 0;
        while (next < args.length) {
            String option = args[next++];
            switch (option) {
                case "--fresh" -> fresh = true;
                case "--accept-loss" -> acceptLoss = true;
                case "--restore" -> restore = true;
                case "--config" -> file = Path.of(value(option, args, next++));
                case "--job" -> job = value(option, args, next++);
                case "--from" -> put(from, option, "JOB=PATH", value(option, args, next++));
                case "--set" -> put(settings, option, "KEY=VALUE", value(option, args, next++));
                default -> throw new IllegalArgumentException("unknown argument '" + option + "'; usage: " + USAGE);
            }
        }
        if (fresh && restore) {
            throw new IllegalArgumentException(
                    "--fresh starts with empty state and --restore never does; use only one of them");
        }
        if (job != null && !WeirJob.isName(job)) {
            throw new IllegalArgumentException("--job names '" + job + "'; the jobs are " + WeirJob.names());
        }
        if (file == null && settings.isEmpty()) {
            file = Path.of(DEFAULT_FILE);
        }
        return new MainArguments(
                Optional.ofNullable(file),
                settings,
                Optional.ofNullable(job),
                new StartFrom(fresh, from, acceptLoss),
                restore);
    }

    private static String value(String option, String[] args, int at) {
        if (at >= args.length) {
            throw new IllegalArgumentException(option + " needs a value; usage: " + USAGE);
        }
        return args[at];
    }

    private static void put(Map<String, String> all, String option, String form, String text) {
        int equals = text.indexOf('=');
        // A path must be named; a setting may be empty.
        if (equals <= 0 || equals == text.length() - 1 && option.equals("--from")) {
            throw new IllegalArgumentException(option + " needs " + form + ", not '" + text + "'; usage: " + USAGE);
        }
        if (all.put(text.substring(0, equals), text.substring(equals + 1)) != null) {
            throw new IllegalArgumentException(option + " names " + text.substring(0, equals) + " twice");
        }
    }
}
