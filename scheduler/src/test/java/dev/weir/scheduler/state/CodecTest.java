package dev.weir.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.EngineRecord;
import dev.weir.engine.EngineTables;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Json;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Task;
import dev.weir.scheduler.Scheduler;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CodecTest {

    /** Every public field gets a value, so that a field that a codec forgets is found. */
    private static <V> void everyFieldSurvives(Table<V> table, Supplier<V> make) throws IllegalAccessException {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            V value = make.get();
            for (Field field : value.getClass().getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.set(value, random(field, random, round % 2 == 0));
                }
            }
            assertThat(table.decode(table.encode(value)))
                    .usingRecursiveComparison()
                    .isEqualTo(value);
        }
    }

    private static Object random(Field field, Random random, boolean nulls) {
        Class<?> type = field.getType();
        if (type == long.class) {
            return random.nextLong() >>> 1 + random.nextInt(60);
        }
        if (type == int.class) {
            return random.nextInt() >>> 1 + random.nextInt(30);
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == double.class) {
            return random.nextDouble() * 1000;
        }
        if (List.of("groups", "pools").contains(field.getName())) {
            return new ArrayList<>(List.of("g" + random.nextInt(9), "é"));
        }
        if (type == LostAttempts.class) {
            return LostAttempts.NONE
                    .and(1 + random.nextInt(99), "p", random.nextBoolean())
                    .andForgotten(3, 4);
        }
        if (type == RecentErrors.class) {
            return RecentErrors.NONE
                    .and(ErrorType.EXIT, "é")
                    .and(null, null)
                    .and(ErrorType.EXIT, "x" + random.nextInt());
        }
        if (field.getName().equals("logs")) {
            return new ArrayList<>(List.of(new MadeFile(random.nextInt(9), "u", 5L, null)));
        }
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        if (nulls) {
            return null;
        }
        if (type == String.class) {
            return "text é " + random.nextInt();
        }
        if (type == Long.class) {
            return random.nextLong();
        }
        if (type == Integer.class) {
            return random.nextInt();
        }
        if (type == MadeFile.class) {
            return new MadeFile(3, "url", null, "sum");
        }
        throw new AssertionError("no random value for " + field);
    }

    @Test
    void everyFieldOfWhatChangesInPlaceSurvives() throws IllegalAccessException {
        everyFieldSurvives(Tables.PROGRESS, Progress::new);
        everyFieldSurvives(Tables.JOB, JobRecord::new);
        everyFieldSurvives(Tables.PILOT, PilotRecord::new);
        everyFieldSurvives(EngineTables.ENGINE, EngineRecord::new);
    }

    @Test
    void aJobOfAnOlderVersionIsReadWithDefaultsForWhatCameLater() {
        JobRecord job = new JobRecord();
        job.uid = "j";
        job.registeredAttempts = 3;
        byte[] now = Tables.JOB.encode(job);
        // The fields that came later were empty: a byte each.
        for (int version = 1; version <= 3; version++) {
            byte[] then = Arrays.copyOf(now, now.length - List.of(7, 3, 2).get(version - 1));
            then[0] = (byte) version;

            assertThat(Tables.JOB.decode(then)).usingRecursiveComparison().isEqualTo(job);
        }
    }

    @Test
    void theProgressOfTheFirstVersionHasNoFailuresInARow() {
        Progress progress = new Progress();
        progress.uid = "t";
        progress.pauseCommandAt = 5;
        byte[] now = Tables.PROGRESS.encode(progress);
        byte[] then = Arrays.copyOf(now, now.length - 4);
        then[0] = 1;

        assertThat(Tables.PROGRESS.decode(then)).usingRecursiveComparison().isEqualTo(progress);
    }

    @Test
    void aPilotOfTheFirstVersionServesOnePool() {
        PilotRecord pilot = new PilotRecord();
        pilot.id = "p";
        pilot.pool = "gpu";
        pilot.version = 7;
        byte[] now = Tables.PILOT.encode(pilot);
        byte[] then = Arrays.copyOf(now, now.length - 2);
        then[0] = 1;

        assertThat(Tables.PILOT.decode(then)).usingRecursiveComparison().isEqualTo(pilot);
    }

    private static <V> void survives(Table<V> table, V value) {
        assertThat(table.decode(table.encode(value))).usingRecursiveComparison().isEqualTo(value);
    }

    @Test
    void everyOtherValueSurvives() {
        survives(Tables.NODE, new NodeRecord("n", "cpu", 3, 99, null));
        survives(Tables.NODE, new NodeRecord("n", "cpu", 3, 99, "job"));
        survives(Tables.POOL, new PoolRecord(PoolRecord.Use.DRAINING, 7));
        survives(Tables.GROUP, new GroupRecord(null, 0, new long[] {1, 2, 3}));
        survives(Tables.GROUP, new GroupRecord(new GroupLimit(4, 5, Duration.ofSeconds(6)), 7, new long[0]));
        survives(Tables.GROUP, new GroupRecord(GroupLimit.inFlight(4), 7, new long[0]));
        Names names = Names.of(List.of("a", "b"));
        assertThat(Tables.CHECK_LIST.decode(Tables.CHECK_LIST.encode(names))).isEqualTo(names);
        survives(Tables.RELEASED, new Bits(new long[] {1, -2, 3, 4, 5, 6, 7, Long.MIN_VALUE}));
        survives(EngineTables.SEEN, "é");
        survives(Tables.ADOPTED, new AdoptedPosition("t", 5, true));
        survives(
                Tables.WAITING,
                new WaitingCommand(Command.ofTask("c", Instant.EPOCH, null, Command.Type.CANCEL, "t"), 5));
    }

    @Test
    void noTwoTablesShareAName() {
        Set<String> names = new HashSet<>();
        Scheduler.tables().forEach(table -> assertThat(names.add(table.name())).isTrue());
    }

    /** Emoji take three times as many bytes when they are written again, so that what was taken once may pass the limit of the wire. */
    @Test
    void aTaskThatIsLongerInStateThanAMessageMayBeIsReadAgain() {
        String json = """
                {"uid":"t","executable":"x","device_type":"CPU","mode":"Map","dat_in_uid":"a","dat_out_uid":"b",
                 "dat_stor_url":"file:///s","dat_out_url":"o","owner":"%s"}""".formatted("\uD83D\uDE00".repeat(250_000));
        Task task = Json.read(json.getBytes(StandardCharsets.UTF_8), Task.class);

        byte[] kept = Tables.TASK.encode(task);

        assertThat(kept.length).isGreaterThan(2 * Limits.MAX_MESSAGE_BYTES);
        assertThat(Tables.TASK.decode(kept)).isEqualTo(task);
    }
}
