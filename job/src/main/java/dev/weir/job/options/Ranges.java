package dev.weir.job.options;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** The values of options that have a range. An error names the option: what uses the value later does not know it. */
final class Ranges {

    private Ranges() {}

    static int between(ReadableConfig configuration, ConfigOption<Integer> option, int least, int most) {
        int value = configuration.get(option);
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    option.key() + " must be between " + least + " and " + most + ", got " + value);
        }
        return value;
    }
}
