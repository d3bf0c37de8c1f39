package dev.weir.scheduler.state;

import dev.weir.protocol.Command;
import dev.weir.protocol.Task;
import dev.weir.scheduler.backlog.Chunk;
import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import dev.weir.scheduler.store.Table;
import java.io.IOException;
import java.util.List;

/** Every table of a lane, and how its keys are made. */
public final class Tables {

    /** One value, under the empty key: what belongs to the lane as a whole. */
    public static final Table<LaneRecord> LANE = new Table<>("lane", new LaneRecord.LaneCodec());

    /** By task uid: the task as it came, without its targets. */
    public static final Table<Task> TASK = new Table<>("task", new JsonCodec<>(Task.class));

    /** By task uid. */
    public static final Table<Progress> PROGRESS = new Table<>("progress", new Progress.ProgressCodec());

    /** By output dataset: the open task that writes it. */
    public static final Table<String> OUTPUT = new Table<>("output", new TextCodec());

    /** By task uid and first position: files that were read and not all released. */
    public static final Table<Chunk> CHUNK = new Table<>("chunk", new Chunk.ChunkCodec());

    /** By task uid and {@link Bits#POSITIONS} positions: which of them were released, for indexed tasks. */
    public static final Table<Bits> RELEASED = new Table<>("released", new Bits.BitsCodec());

    /** By task uid and position: priorities that were changed while their files wait. */
    public static final Table<String> PRIORITY = new Table<>("priority", new TextCodec());

    /** By task uid and position. */
    public static final Table<Claim> CLAIM = new Table<>("claim", new Claim.ClaimCodec());

    /** By job uid. */
    public static final Table<JobRecord> JOB = new Table<>("job", new JobRecord.JobCodec());

    /** By task uid and piece: names of registered outputs and logs. */
    public static final Table<Names> CHECK_LIST = new Table<>("check-list", new Names.NamesCodec());

    /** By task uid and piece: uids of jobs that failed for good at least once. */
    public static final Table<Names> FAILED = new Table<>("failed", new Names.NamesCodec());

    /** By pilot id. */
    public static final Table<PilotRecord> PILOT = new Table<>("pilot", new PilotRecord.PilotCodec());

    /** By host, or pilot id where no host is known: nodes whose last attempts failed. */
    public static final Table<NodeRecord> NODE = new Table<>("node", new NodeRecord.NodeCodec());

    /** By pool. */
    public static final Table<PoolRecord> POOL = new Table<>("pool", new PoolRecord.PoolCodec());

    /** By group key: limits given by command, and starts where those are limited. */
    public static final Table<GroupRecord> GROUP = new Table<>("group", new GroupRecord.GroupCodec());

    /** By task uid and command id: commands whose task is not here yet. */
    public static final Table<WaitingCommand> WAITING =
            new Table<>("waiting-command", new WaitingCommand.WaitingCodec());

    /** By command id ({@code c/}) or uid of a closed task ({@code t/}): what must be recognised when it comes again. */
    public static final Table<String> MEMORY = new Table<>("memory", new TextCodec());

    /** By number: keys of {@link #MEMORY} in the order in which they are forgotten. */
    public static final Table<String> FORGET = new Table<>("forget", new TextCodec());

    /** By command id: a message of a waiting command. */
    static final JsonCodec<Command> COMMAND_CODEC = new JsonCodec<>(Command.class);

    private Tables() {}

    public static List<Table<?>> all() {
        return List.of(
                LANE,
                TASK,
                PROGRESS,
                OUTPUT,
                CHUNK,
                RELEASED,
                PRIORITY,
                CLAIM,
                JOB,
                CHECK_LIST,
                FAILED,
                PILOT,
                NODE,
                POOL,
                GROUP,
                WAITING,
                MEMORY,
                FORGET);
    }

    /** Key of something numbered within a task. */
    public static String key(String taskUid, long number) {
        return taskUid + '/' + number;
    }

    /** A string as it is. */
    static final class TextCodec implements Codec<String> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(String value, ByteSink out) {
            Wire.writeString(out, value);
        }

        @Override
        public String read(int version, ByteSource in) throws IOException {
            return Wire.readString(in);
        }
    }
}
