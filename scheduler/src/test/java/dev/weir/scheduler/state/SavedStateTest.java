package dev.weir.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.EngineRecord;
import dev.weir.engine.EngineTables;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.Device;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Mode;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import dev.weir.protocol.Task;
import dev.weir.scheduler.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Values as savepoints hold them: {@code saved-state.txt} has a line for each version of each table, with the bytes and the fields
 * that they held. Lines are only ever added.
 */
class SavedStateTest {

    private record Saved(String table, int version, byte[] bytes, List<String> fields) {}

    /** Their JSON evolves by itself, as on the wire. */
    private static final Set<Table<?>> HOLD_MESSAGES = Set.of(Tables.TASK, Tables.WAITING);

    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);

    @TestFactory
    List<DynamicTest> whatAnyVersionWroteIsReadWithTheFieldsThatItHad() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Saved saved : saved()) {
            tests.add(DynamicTest.dynamicTest(saved.table + " version " + saved.version, () -> {
                Table<?> table = table(saved.table);
                assertThat(fields(table.decode(saved.bytes))).containsAll(saved.fields);
            }));
        }
        return tests;
    }

    @Test
    void theFormOfATableChangesOnlyWithItsVersion() throws IOException {
        Map<String, Saved> newest = new LinkedHashMap<>();
        saved().forEach(saved -> newest.put(saved.table + " " + saved.version, saved));
        List<String> missing = new ArrayList<>();
        samples().forEach((table, sample) -> {
            byte[] bytes = encode(table, sample);
            int version = table.codec().version();
            Saved known = newest.get(table.name() + " " + version);
            if (known == null) {
                missing.add(table.name() + "|" + version + "|" + HexFormat.of().formatHex(bytes) + "|"
                        + String.join("¦", fields(sample)));
            } else if (!HOLD_MESSAGES.contains(table)) {
                assertThat(bytes)
                        .as("%s: raise its codec's version when its form changes", table)
                        .isEqualTo(known.bytes);
            }
        });

        assertThat(missing).as("lines to add to saved-state.txt").isEmpty();
        assertThat(samples().keySet()).containsExactlyInAnyOrderElementsOf(Scheduler.tables());
    }

    @SuppressWarnings("unchecked")
    private static <V> byte[] encode(Table<?> table, V sample) {
        return ((Table<V>) table).encode(sample);
    }

    private static Table<?> table(String name) {
        return Scheduler.tables().stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Saved> saved() throws IOException {
        List<Saved> all = new ArrayList<>();
        try (InputStream in = SavedStateTest.class.getResourceAsStream("saved-state.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] parts = line.split("\\|", 4);
                all.add(new Saved(
                        parts[0],
                        Integer.parseInt(parts[1]),
                        HexFormat.of().parseHex(parts[2]),
                        List.of(parts[3].split("¦"))));
            });
        }
        return all;
    }

    /** Path and value of each field, in order of paths. */
    private static List<String> fields(Object value) {
        TreeSet<String> fields = new TreeSet<>();
        collect("", value, fields);
        return List.copyOf(fields);
    }

    private static void collect(String path, Object value, TreeSet<String> fields) {
        try {
            if (value instanceof Chunk chunk) {
                fields.add(path + ".readAt=" + chunk.readAtMillis());
                for (int i = 0; i < chunk.count(); i++) {
                    collect(path + "[" + i + "]", chunk.get(i), fields);
                }
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
            } else if (value != null
                    && value.getClass().getPackageName().matches("dev.weir.(scheduler|engine).*")
                    && value.getClass().getFields().length > 0
                    && !value.getClass().isEnum()
                    && !(value instanceof Names)) {
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

    private static Map<Table<?>, Object> samples() {
        Map<Table<?>, Object> samples = new LinkedHashMap<>();
        EngineRecord engine = new EngineRecord();
        numbered(engine);
        samples.put(EngineTables.ENGINE, engine);
        samples.put(Tables.TASK, task());
        Progress progress = new Progress();
        numbered(progress);
        progress.stop = Progress.Stop.CLOSE;
        progress.errors = RecentErrors.NONE.and(ErrorType.EXIT, "é").and(null, null);
        samples.put(Tables.PROGRESS, progress);
        samples.put(Tables.OUTPUT, "task-1");
        samples.put(
                Tables.CHUNK,
                Chunk.of(
                        List.of(
                                new WaitingFile(
                                        "a-1.raw", "https://s.example.org", "d", 5L, "sha256:00ff", 3, List.of()),
                                new WaitingFile(
                                        "a-2.raw", "https://s.example.org", "é", null, null, 1, List.of("g", "h")),
                                new WaitingFile("b", "file:///", "d", 0L, "odd", 3, List.of("g", "h"))),
                        77));
        samples.put(Tables.RELEASED, new Bits(new long[] {1, -2, 3, 4, 5, 6, 7, Long.MIN_VALUE}));
        samples.put(Tables.PRIORITY, "4");
        samples.put(Tables.ADOPTED, new AdoptedPosition("task-1", 5, true));
        JobRecord job = new JobRecord();
        numbered(job);
        job.phase = JobRecord.Phase.RUNNING;
        job.order = JobRecord.Order.KILL;
        job.errorType = ErrorType.values()[1];
        job.groups = List.of("g", "é");
        job.logs = new ArrayList<>(List.of(new MadeFile(1, "u", 5L, null)));
        job.output = new MadeFile(2, "v", null, "sum");
        samples.put(Tables.JOB, job);
        samples.put(Tables.CHECK_LIST, Names.of(List.of("a.out", "é.log")));
        samples.put(Tables.RETRYING, "1");
        samples.put(Tables.ASIDE, "a reason");
        samples.put(Tables.FAILED, Names.of(List.of("job-1")));
        PilotRecord pilot = new PilotRecord();
        numbered(pilot);
        pilot.device = Device.CPU;
        pilot.state = PilotState.BUSY;
        pilot.use = PilotRecord.Use.DRAIN;
        pilot.pools = List.of("gpu", "é");
        samples.put(Tables.PILOT, pilot);
        samples.put(Tables.NODE, new NodeRecord("n", "cpu", 3, 99, "job"));
        samples.put(Tables.POOL, new PoolRecord(PoolRecord.Use.DRAINING, 7));
        samples.put(
                Tables.GROUP, new GroupRecord(new GroupLimit(4, 5, Duration.ofSeconds(6)), 7, new long[] {1, 2, 3}));
        samples.put(Tables.WAITING, new WaitingCommand(Command.ofTask("c", AT, null, Command.Type.CANCEL, "t"), 5));
        samples.put(EngineTables.SEEN, "1");
        samples.put(EngineTables.FORGET, "5 c/1");
        return samples;
    }

    private static Task task() {
        return new Task(
                "task-1",
                "reco",
                "{file_in}",
                5.0,
                DeviceType.CPU,
                Mode.MAP,
                3,
                "in",
                "out",
                "https://s.example.org",
                "out-1",
                null,
                "me",
                null,
                List.of("g"),
                null,
                null,
                7,
                null,
                null,
                null,
                60,
                null);
    }

    private static Result result() {
        return new Result(
                "p",
                "cpu",
                AT,
                "j",
                1,
                "0/5/task-1",
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                "o",
                1L,
                null,
                "l",
                2L,
                null,
                null,
                null);
    }

    /** Each public field of a simple type gets another value, in order of the names. */
    private static void numbered(Object value) {
        Field[] fields = value.getClass().getFields();
        Arrays.sort(fields, (a, b) -> a.getName().compareTo(b.getName()));
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
