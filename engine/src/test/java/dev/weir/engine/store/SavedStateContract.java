package dev.weir.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Values as savepoints hold them: a file {@code saved-state.txt} beside a test has a line for each version of each table, with the bytes and
 * the fields that they held. Lines are only ever added.
 */
public abstract class SavedStateContract {

    private record Saved(String table, int version, byte[] bytes, List<String> fields) {}

    private final List<Table<?>> tables;
    private final Set<Table<?>> holdJson;
    private final List<Saved> all = new ArrayList<>();

    /**
     * @param tables all that the core has
     * @param holdJson tables with values of JSON, which evolves by itself, as on the wire
     */
    protected SavedStateContract(List<Table<?>> tables, Set<Table<?>> holdJson) throws IOException {
        this.tables = tables;
        this.holdJson = holdJson;
        try (InputStream in = getClass().getResourceAsStream("saved-state.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] columns = line.split("\\|", 4);
                all.add(new Saved(
                        columns[0],
                        Integer.parseInt(columns[1]),
                        HexFormat.of().parseHex(columns[2]),
                        List.of(columns[3].split("¦"))));
            });
        }
    }

    /** A value of each table. */
    protected abstract Map<Table<?>, Object> samples();

    /** The parts of a value that is neither list, record nor has fields, by what names them; null for any other one. */
    protected Map<String, Object> parts(Object value) {
        return null;
    }

    @TestFactory
    List<DynamicTest> whatAnyVersionWroteIsReadWithTheFieldsThatItHad() {
        return all.stream()
                .map(saved -> DynamicTest.dynamicTest(
                        saved.table + " version " + saved.version,
                        () -> assertThat(fields(table(saved.table).decode(saved.bytes)))
                                .containsAll(saved.fields)))
                .toList();
    }

    @Test
    void theFormOfATableChangesOnlyWithItsVersion() {
        Map<Table<?>, Object> samples = samples();
        Map<String, Saved> newest = new HashMap<>();
        all.forEach(saved -> newest.put(saved.table + " " + saved.version, saved));
        List<String> missing = new ArrayList<>();
        samples.forEach((table, sample) -> {
            byte[] bytes = encode(table, sample);
            int version = table.codec().version();
            Saved known = newest.get(table.name() + " " + version);
            if (known == null) {
                missing.add(table.name() + "|" + version + "|" + HexFormat.of().formatHex(bytes) + "|"
                        + String.join("¦", fields(sample)));
            } else if (!holdJson.contains(table)) {
                assertThat(bytes)
                        .as("%s: raise its codec's version when its form changes", table)
                        .isEqualTo(known.bytes);
            }
        });
        assertThat(missing).as("lines to add to saved-state.txt").isEmpty();
        assertThat(samples.keySet()).containsExactlyInAnyOrderElementsOf(tables);
    }

    @SuppressWarnings("unchecked")
    private static <V> byte[] encode(Table<?> table, V sample) {
        return ((Table<V>) table).encode(sample);
    }

    private Table<?> table(String name) {
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Path and value of each field, in order of paths. */
    private List<String> fields(Object value) {
        TreeSet<String> fields = new TreeSet<>();
        collect("", value, fields);
        return List.copyOf(fields);
    }

    private void collect(String path, Object value, TreeSet<String> fields) {
        Map<String, Object> named = value == null ? null : parts(value);
        try {
            if (named != null) {
                named.forEach((name, part) -> collect(path + name, part, fields));
            } else if (value instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    collect(path + "[" + i + "]", list.get(i), fields);
                }
            } else if (value instanceof long[] numbers) {
                fields.add(path + "=" + Arrays.toString(numbers));
            } else if (value != null && value.getClass().isRecord()) {
                for (RecordComponent component : value.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    collect(
                            path + "." + component.getName(),
                            component.getAccessor().invoke(value),
                            fields);
                }
            } else if (value != null && hasFields(value.getClass())) {
                for (Field field : value.getClass().getFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        collect(path + "." + field.getName(), field.get(value), fields);
                    }
                }
            } else {
                fields.add(path + "=" + value);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean hasFields(Class<?> type) {
        return type.getPackageName().startsWith("dev.weir.") && type.getFields().length > 0 && !type.isEnum();
    }

    /** Each public field of a simple type gets another value, in order of the names. */
    protected static void number(Object value) {
        Field[] fields = value.getClass().getFields();
        Arrays.sort(fields, Comparator.comparing(Field::getName));
        int number = 100;
        try {
            for (Field field : fields) {
                Class<?> type = field.getType();
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                number += 3;
                if (type == long.class || type == Long.class) {
                    field.set(value, (long) number);
                } else if (type == int.class || type == Integer.class) {
                    field.set(value, number);
                } else if (type == double.class) {
                    field.set(value, number / 4.0);
                } else if (type == boolean.class) {
                    field.set(value, number % 2 == 0);
                } else if (type == String.class) {
                    field.set(value, "text " + number);
                }
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
