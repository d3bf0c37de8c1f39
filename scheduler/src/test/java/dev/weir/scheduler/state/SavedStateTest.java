package dev.weir.scheduler.state;

import dev.weir.engine.EngineRecord;
import dev.weir.engine.EngineTables;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.SavedStateContract;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values of the scheduler as savepoints hold them, see {@link SavedStateContract}. */
class SavedStateTest extends SavedStateContract {

    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);

    SavedStateTest() throws IOException {
        super(Scheduler.tables(), Set.of(Tables.TASK, Tables.WAITING));
    }

    @Override
    protected Map<String, Object> parts(Object value) {
        if (value instanceof Names names) {
            return Map.of("", names.toString());
        } else if (value instanceof Chunk chunk) {
            Map<String, Object> parts = new HashMap<>(Map.of(".readAt", chunk.readAtMillis()));
            for (int i = 0; i < chunk.count(); i++) {
                parts.put("[" + i + "]", chunk.get(i));
            }
            return parts;
        }
        return null;
    }

    @Override
    protected Map<Table<?>, Object> samples() {
        Map<Table<?>, Object> samples = new LinkedHashMap<>();
        EngineRecord engine = new EngineRecord();
        number(engine);
        samples.put(EngineTables.ENGINE, engine);
        samples.put(Tables.TASK, task());
        Progress progress = new Progress();
        number(progress);
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
        number(job);
        job.phase = JobRecord.Phase.RUNNING;
        job.order = JobRecord.Order.KILL;
        job.errorType = ErrorType.values()[1];
        job.groups = List.of("g", "é");
        job.logs = new ArrayList<>(List.of(new MadeFile(1, "u", 5L, null)));
        job.output = new MadeFile(2, "v", null, "sum");
        samples.put(Tables.JOB, job);
        samples.put(Tables.FAILED_JOB, job);
        samples.put(
                Tables.FAILED_INPUTS,
                Chunk.of(List.of(new WaitingFile("a", "file:///", "d", 1L, null, 3, List.of())), 77));
        samples.put(Tables.CHECK_LIST, Names.of(List.of("a.out", "é.log")));
        samples.put(Tables.RETRYING, "1");
        samples.put(Tables.ASIDE, "a reason");
        samples.put(Tables.FAILED, Names.of(List.of("job-1")));
        PilotRecord pilot = new PilotRecord();
        number(pilot);
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
                null,
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
}
