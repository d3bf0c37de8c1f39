package dev.weir.scheduler.state;

import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.JsonCodec;
import dev.weir.engine.store.Table;
import dev.weir.engine.store.TextCodec;
import dev.weir.protocol.Command;
import dev.weir.protocol.Task;
import java.util.List;

/** Every table of a lane, and how its keys are made. */
public final class Tables {

    /** By task uid: the task as it came, without its targets. */
    public static final Table<Task> TASK = new Table<>("task", new JsonCodec<>(Task.class));

    /** By task uid. */
    public static final Table<Progress> PROGRESS = new Table<>("progress", new Progress.ProgressCodec());

    /** By output dataset: the open task that writes it. */
    public static final Table<String> OUTPUT = new Table<>("output", new TextCodec());

    /** By task uid and first position: files that were read and not all released. */
    public static final Table<Chunk> CHUNK = new Table<>("chunk", new Chunk.ChunkCodec());

    /** By task uid and {@link Bits#POSITIONS} positions: which of them were released, for indexed tasks, while others of their chunks wait. */
    public static final Table<Bits> RELEASED = new Table<>("released", new Bits.BitsCodec());

    /** By task uid and position: priorities that were changed while their files wait. */
    public static final Table<String> PRIORITY = new Table<>("priority", new TextCodec());

    /** By task uid and position. */
    public static final Table<AdoptedPosition> ADOPTED = new Table<>("claim", new AdoptedPosition.AdoptedCodec());

    /** By job uid: jobs that are not over; and jobs that failed for good, where an older version has written them. A start reads it. */
    public static final Table<JobRecord> JOB = new Table<>("job", new JobRecord.JobCodec());

    /** By job uid: jobs that failed for good. They may be tried again by command until their task closes. */
    public static final Table<JobRecord> FAILED_JOB = new Table<>("failed-job", new JobRecord.JobCodec());

    /** By job uid: the files of Merge jobs that failed for good at least once, in place of their chunks. */
    public static final Table<Chunk> FAILED_INPUTS = new Table<>("failed-inputs", new Chunk.ChunkCodec());

    /** By task uid and piece: names of registered outputs and logs. */
    public static final Table<Names> CHECK_LIST = new Table<>("check-list", new Names.NamesCodec());

    /** By task uid and piece: uids of jobs that failed for good at least once. */
    public static final Table<Names> FAILED = new Table<>("failed", new Names.NamesCodec());

    /** By task uid: tasks whose failed jobs are being tried again by command. The value says nothing. */
    public static final Table<String> RETRYING = new Table<>("retrying", new TextCodec());

    /** By task uid: why the task is set aside. */
    public static final Table<String> ASIDE = new Table<>("aside", new TextCodec());

    /** By pilot id. */
    public static final Table<PilotRecord> PILOT = new Table<>("pilot", new PilotRecord.PilotCodec());

    /** By host, or pilot id where no host is known: nodes whose last attempts failed. */
    public static final Table<NodeRecord> NODE = new Table<>("node", new NodeRecord.NodeCodec());

    /** By pool. */
    public static final Table<PoolRecord> POOL = new Table<>("pool", new PoolRecord.PoolCodec());

    /** By group key: limits given by command, and starts where those are limited. */
    public static final Table<GroupRecord> GROUP = new Table<>("group", new GroupRecord.GroupCodec());

    /** By task uid and command id: commands that wait for their task or for reports. */
    public static final Table<WaitingCommand> WAITING =
            new Table<>("waiting-command", new WaitingCommand.WaitingCodec());

    /** By command id: a message of a waiting command. */
    static final JsonCodec<Command> COMMAND_CODEC = new JsonCodec<>(Command.class);

    private Tables() {}

    public static List<Table<?>> all() {
        return List.of(
                TASK,
                PROGRESS,
                OUTPUT,
                CHUNK,
                RELEASED,
                PRIORITY,
                ADOPTED,
                JOB,
                FAILED_JOB,
                FAILED_INPUTS,
                CHECK_LIST,
                FAILED,
                RETRYING,
                ASIDE,
                PILOT,
                NODE,
                POOL,
                GROUP,
                WAITING);
    }

    /** Key of something numbered within a task. */
    public static String key(String taskUid, long number) {
        return taskUid + '/' + number;
    }

    /** The text before the number in such a key. */
    public static String taskOf(String key) {
        return key.substring(0, key.lastIndexOf('/'));
    }

    /** The number in such a key. */
    public static long numberOf(String key) {
        return Long.parseLong(key, key.lastIndexOf('/') + 1, key.length(), 10);
    }
}
