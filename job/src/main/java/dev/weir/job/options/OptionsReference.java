package dev.weir.job.options;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.util.TimeUtils;

/** Generates the reference page docs/CONFIGURATION.md from the options. */
public final class OptionsReference {

    /** One section of the page each, in this order. */
    static final List<Section> SECTIONS = List.of(
            new Section("The schedule job", JobOptions.class),
            new Section("Scheduling", SchedulingOptions.class),
            new Section("One pool", PoolSettings.class),
            new Section("Broker", AmqpOptions.class),
            new Section("DSM", DsmOptions.class),
            new Section("Mirror", MirrorOptions.class),
            new Section("Queues", QueueOptions.class),
            new Section("Gateway", GatewaySettings.class));

    private OptionsReference() {}

    record Section(String title, Class<?> options) {}

    /** The whole page, in Markdown. */
    public static String markdown() {
        StringBuilder page = new StringBuilder()
                .append("# Configuration\n\n")
                .append(
                        "Generated from the options in `job/src/main/java/dev/weir/job/options`; change them there, then run\n")
                .append("`./mvnw -pl job -am -Dtest=OptionsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false")
                .append(" -Dweir.regenerate=true test`.\n\n")
                .append(
                        "They are set in `weir.yaml`, together with Flink's options (`flink-conf/weir.yaml` explains the ones that Weir sets).\n");
        for (Section section : SECTIONS) {
            page.append("\n## ")
                    .append(section.title())
                    .append("\n\n| option | type | default | meaning |\n|---|---|---|---|\n");
            for (Documented option : options(section.options())) {
                page.append("| `")
                        .append(option.option().key())
                        .append("` | ")
                        .append(option.type())
                        .append(" | ")
                        .append(written(option.option().defaultValue()))
                        .append(" | ")
                        .append(new HtmlFormatter()
                                .format(option.option().description())
                                .replace("|", "\\|"))
                        .append(" |\n");
            }
        }
        return page.toString();
    }

    record Documented(ConfigOption<?> option, String type) {}

    /** The options of a class, by key. */
    static List<Documented> options(Class<?> holder) {
        List<Documented> found = new ArrayList<>();
        for (Field field : holder.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
                try {
                    found.add(new Documented((ConfigOption<?>) field.get(null), typeOf(field)));
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException("the option " + field + " must be public", e);
                }
            }
        }
        found.sort(Comparator.comparing(documented -> documented.option().key()));
        return found;
    }

    private static String typeOf(Field field) {
        Type type = ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        if (type instanceof ParameterizedType list) {
            return "list of " + simpleName(list.getActualTypeArguments()[0]);
        }
        return simpleName(type);
    }

    private static String simpleName(Type type) {
        String name = type.getTypeName();
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1)
                .toLowerCase(java.util.Locale.ROOT);
    }

    private static String written(Object value) {
        if (value == null) {
            return "–";
        }
        if (value instanceof Duration duration) {
            return "`" + TimeUtils.formatWithHighestUnit(duration) + "`";
        }
        if (value instanceof List<?> list) {
            return list.isEmpty()
                    ? "(none)"
                    : "`" + String.join(";", list.stream().map(Object::toString).toList()) + "`";
        }
        return value.toString().isEmpty() ? "(empty)" : "`" + value + "`";
    }
}
