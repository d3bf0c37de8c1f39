package dev.weir.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

/** flink-conf/weir.yaml explains every option and invents none. */
class WeirYamlTest {

    private static final Path FILE = Path.of("..", "flink-conf", "weir.yaml");
    private static final Pattern SETTING = Pattern.compile("(# )?(weir\\.[A-Za-z0-9.-]+):(.*)");

    private record Line(boolean isDefault, String value, String explained) {}

    @Test
    void theFileContainsExactlyTheOptions() throws IOException {
        assertThat(settings().keySet())
                .containsExactlyInAnyOrderElementsOf(options().keySet());
    }

    @Test
    void everyOptionIsExplainedAsInTheReference() throws IOException {
        Map<String, ConfigOption<?>> options = options();
        settings()
                .forEach((key, line) -> assertThat(line.explained())
                        .as(key)
                        .isEqualTo(new HtmlFormatter().format(options.get(key).description())));
    }

    @Test
    void everyDefaultInTheFileIsTheOptionsDefault() throws IOException {
        Map<String, ConfigOption<?>> options = options();
        settings().forEach((key, line) -> {
            if (line.isDefault() && options.containsKey(key)) {
                assertThat(read(options.get(key), line.value())).as(key).isEqualTo(read(options.get(key), null));
            }
        });
    }

    private static Object read(ConfigOption<?> option, String written) {
        Configuration configuration = new Configuration();
        if (written != null && !written.isEmpty()) {
            configuration.setString(option.key(), written);
        }
        Object value = configuration.get(option);
        return value == null ? List.of() : value;
    }

    private static Map<String, Line> settings() throws IOException {
        Map<String, Line> settings = new TreeMap<>();
        List<String> comment = new ArrayList<>();
        for (String text : Files.readAllLines(FILE)) {
            Matcher setting = SETTING.matcher(text);
            if (setting.matches()) {
                Line line = new Line(setting.group(1) != null, setting.group(3).strip(), String.join(" ", comment));
                assertThat(settings.put(setting.group(2), line))
                        .as(setting.group(2) + " stands there twice")
                        .isNull();
            }
            if (!setting.matches() && text.startsWith("# ")) {
                comment.add(text.substring(2));
            } else {
                comment.clear();
            }
        }
        return settings;
    }

    private static Map<String, ConfigOption<?>> options() {
        Map<String, ConfigOption<?>> options = new TreeMap<>();
        for (OptionsReference.Section section : OptionsReference.SECTIONS) {
            for (OptionsReference.Documented documented : OptionsReference.options(section.options())) {
                options.put(documented.option().key(), documented.option());
            }
        }
        return options;
    }
}
