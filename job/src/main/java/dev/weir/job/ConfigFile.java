package dev.weir.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.YamlParserUtils;

/**
 * A weir.yaml: YAML as Flink reads it, with nested or dotted keys. {@code ${NAME}} in a value is replaced by an environment
 * variable, {@code ${NAME:-other}} by the variable or, if it is not set, by the other text.
 */
public final class ConfigFile {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

    private ConfigFile() {}

    public static Configuration read(Path file) throws IOException {
        return read(file, "--config");
    }

    /** @param option of the command line that names such a file, for the message when there is none */
    public static Configuration read(Path file, String option) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("there is no readable configuration file " + file + "; name one with " + option);
        }
        return read(file, System::getenv);
    }

    static Configuration read(Path file, UnaryOperator<String> environment) throws IOException {
        Map<String, Object> tree;
        try {
            tree = YamlParserUtils.loadYamlFile(file.toFile());
        } catch (Exception e) {
            throw new IOException(file + " is not valid YAML: " + e.getMessage(), e);
        }
        Map<String, String> flat = new TreeMap<>();
        flatten("", tree, flat);
        Configuration configuration = new Configuration();
        for (Map.Entry<String, String> entry : flat.entrySet()) {
            configuration.setString(entry.getKey(), substituted(file, entry, environment));
        }
        return configuration;
    }

    private static void flatten(String prefix, Map<?, ?> tree, Map<String, String> flat) {
        tree.forEach((key, value) -> {
            String name = prefix + key;
            if (value instanceof Map<?, ?> branch) {
                flatten(name + ".", branch, flat);
            } else if (value instanceof List<?>) {
                flat.put(name, YamlParserUtils.toYAMLString(value));
            } else if (value != null) {
                flat.put(name, value.toString());
            }
        });
    }

    private static String substituted(Path file, Map.Entry<String, String> entry, UnaryOperator<String> environment)
            throws IOException {
        Matcher variables = VARIABLE.matcher(entry.getValue());
        StringBuilder value = new StringBuilder();
        while (variables.find()) {
            String known = environment.apply(variables.group(1));
            String replacement = known == null ? variables.group(2) : known;
            if (replacement == null) {
                throw new IOException(file + ": " + entry.getKey() + " needs the environment variable "
                        + variables.group(1) + ", which is not set");
            }
            variables.appendReplacement(value, Matcher.quoteReplacement(replacement));
        }
        return variables.appendTail(value).toString();
    }
}
