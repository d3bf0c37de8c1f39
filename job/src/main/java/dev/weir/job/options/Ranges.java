package dev.weir.job.options;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** The values of options that have a range. An error names the option: what uses the value later does not know it. */
final class Ranges {

    private static final int MAX_NAME_BYTES = 255;

    private Ranges() {}

    static int between(ReadableConfig configuration, ConfigOption<Integer> option, int least, int most) {
        int value = configuration.get(option);
        if (value < least || value > most) {
            String range = most == Integer.MAX_VALUE ? "at least " + least : "between " + least + " and " + most;
            throw new IllegalArgumentException(option.key() + " must be " + range + ", got " + value);
        }
        return value;
    }

    /** A name for AMQP. */
    static void shortText(ReadableConfig configuration, ConfigOption<String> option) {
        int bytes = configuration.get(option).getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    option.key() + " must have between 1 and " + MAX_NAME_BYTES + " bytes, got " + bytes);
        }
    }

    static Duration positive(ReadableConfig configuration, ConfigOption<Duration> option) {
        Duration value = configuration.get(option);
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(
                    option.key() + " must be longer than nothing, got " + value.toMillis() + " ms");
        }
        return value;
    }
}
