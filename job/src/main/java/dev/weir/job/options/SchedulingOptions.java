package dev.weir.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The options of the scheduling core. {@link CoreOptions} converts them. */
public final class SchedulingOptions {

    static final String PREFIX = "weir.scheduling.";

    public static final ConfigOption<Integer> MAX_ACTIVE_TASKS = number(
            "max-active-tasks",
            1000,
            "Maximum number of tasks that are interleaved in one pool; further tasks wait by rank, then"
                    + " arrival. While the files of all interleaved tasks wait for full groups and the window has room,"
                    + " one further task is admitted in each millisecond.");
    public static final ConfigOption<Integer> MAX_OPEN_TASKS = number(
            "max-open-tasks",
            200_000,
            "Maximum number of open tasks of a lane; further tasks are rejected. Each takes about 2 kB of heap.");
    public static final ConfigOption<Duration> WAIT_PER_RANK = time(
            "wait-per-rank",
            Duration.ofMinutes(10),
            "Waiting time for a slot that counts as much as one rank over a new task.");
    public static final ConfigOption<Integer> READ_AHEAD =
            number("read-ahead", 8, "Number of waiting tasks that may read their first page before a slot is free.");
    public static final ConfigOption<Duration> CLOSED_MEMORY = time(
            "closed-memory",
            Duration.ofDays(30),
            "Time for which the uid of a closed task is remembered, to recognise repetitions.");

    public static final ConfigOption<Integer> CHUNK_FILES = number(
            "chunk-files",
            250,
            "Files that a task starts between two changes of its rank: a chunk. A task that reads its"
                    + " dataset page by page reads one with each page, or 10,000 files. The number grows with the weight, to twice this, and is at least 4 × weight.");
    public static final ConfigOption<Integer> PAGE_FILES = number(
            "page-files",
            2000,
            "Files per page for tasks that read their whole dataset before the first choice; 10,000 at most, because several"
                    + " pages are in memory at once.");
    public static final ConfigOption<Duration> PAGE_TIMEOUT = time(
            "page-timeout",
            Duration.ofMinutes(1),
            "Time after which an unanswered page request is repeated; it doubles with each repetition.");
    public static final ConfigOption<Duration> PAGE_TIMEOUT_MAX =
            time("page-timeout-max", Duration.ofMinutes(10), "Maximum of page-timeout after repetitions.");

    public static final ConfigOption<String> RANKER = text(
            "ranker",
            "linear-ageing",
            "Formula by which ranks evolve: linear-ageing, fixed, or the name of another ranker" + " (ServiceLoader).");
    public static final ConfigOption<Double> RANK_ALPHA =
            real("rank.alpha", 1, "α: rank gained by a task that has waited for a whole horizon without a job.");
    public static final ConfigOption<Double> RANK_BETA = real(
            "rank.beta",
            0,
            "β: rank gained by a task whose last chunk was retries only; negative values reduce the rank. With fewer"
                    + " retries it gains a part of it.");
    public static final ConfigOption<Double> RANK_GAMMA = real(
            "rank.gamma",
            0.5,
            "γ: share of the present rank that is kept; below 1 ranks converge, 1 is the formula of the SPD"
                    + " On-Line Filter.");
    public static final ConfigOption<Duration> RANK_HORIZON =
            time("rank.horizon", Duration.ofMinutes(10), "Time without a job after which a task gains the whole α.");
    public static final ConfigOption<Integer> DEMOTE_TO =
            number("demote-to", 5, "Priority of a file that has waited for its task's demote_after_s.");

    public static final ConfigOption<Duration> SYSTEM_RETRY_TIME = time(
            "system-retry-time",
            Duration.ofHours(24),
            "Time for which a job gets further attempts after system failures, from the first of them in a row,"
                    + " and at least three of them, in addition to the task's own retry; 0 disables them.");
    public static final ConfigOption<Duration> MISSING_RETRY_TIME = time(
            "missing-retry-time",
            Duration.ofHours(1),
            "Time for which a job whose input or program is missing gets further attempts, if another job of its task has"
                    + " run meanwhile; without that sign all storages or nodes may be without it, and system-retry-time holds.");
    public static final ConfigOption<Integer> STORAGE_AWAY_AFTER = number(
            "storage-away-after",
            10,
            "Number of consecutive attempts of a task that failed in stage-in or stage-out after which its storage"
                    + " counts as away: failed jobs are tried at least once a minute, and hardly any fresh file starts;"
                    + " 0 disables it.");
    public static final ConfigOption<Duration> COOL_OFF =
            time("cool-off", Duration.ofSeconds(1), "Pause before a further attempt.");
    public static final ConfigOption<Double> COOL_OFF_FACTOR =
            real("cool-off-factor", 2, "Factor by which each failure multiplies the pause; 1 keeps it constant.");
    public static final ConfigOption<Duration> COOL_OFF_MAX =
            time("cool-off-max", Duration.ofMinutes(5), "Maximum pause.");
    public static final ConfigOption<Double> COOL_OFF_JITTER =
            real("cool-off-jitter", 0.2, "Random share of the pause, 0 to 1.");
    public static final ConfigOption<Duration> QUEUED_TIMEOUT = time(
            "queued-timeout",
            Duration.ofMinutes(10),
            "Time after which a job that no pilot has started is sent again, as the same attempt, if its"
                    + " message seems to be lost: a job that was sent later has started, a pilot that prefers the pool"
                    + " took one of another pool, or no job has started for this time while a pilot had none.");
    public static final ConfigOption<Duration> JOB_TIMEOUT =
            time("job-timeout", Duration.ofHours(24), "Maximum running time of a program whose task has no timeout_s.");
    public static final ConfigOption<Duration> ATTEMPT_SLACK = time(
            "attempt-slack",
            Duration.ofHours(1),
            "Time for transfers that an attempt may take beside the running time of its program, for each ten files of a"
                    + " Merge job (at most 24 times); an attempt that is out for longer is stopped, and lost a lease later.");
    public static final ConfigOption<Integer> AUTO_CANCEL_FROM = number(
            "auto-cancel-from",
            10,
            "Minimum number of final failures at which a task is cancelled when they exceed its finished jobs; jobs"
                    + " that are over because of system failures do not count.");
    public static final ConfigOption<List<String>> ERROR_RULES = ConfigOptions.key("weir.scheduling.error-rules")
            .stringType()
            .asList()
            .noDefaultValue()
            .withDescription("Classes of failures; the first matching rule applies. Each is"
                    + " class[,exit=N][,type=T][,message=REGEX] with the classes payload, system and permanent, e.g."
                    + " permanent,exit=64. REGEX is searched in the error message; it has the syntax of RE2, without"
                    + " look-around and back references. Without rules stage_in, stage_out, missing, disk_full, executable"
                    + " (at first) and killed are system, all others payload.");

    public static final ConfigOption<Duration> HEARTBEAT = time(
            "heartbeat",
            Duration.ofSeconds(15),
            "Interval of the heartbeats of pilots and of the beats that Weir sends to itself.");
    public static final ConfigOption<Duration> LEASE = time(
            "lease",
            Duration.ofSeconds(60),
            "Time after which a silent pilot loses its job, measured by Weir's own beats; at least two"
                    + " heartbeats.");
    public static final ConfigOption<Integer> SET_ASIDE_AFTER = number(
            "set-aside-after",
            5,
            "Number of consecutive system failures after which a pilot's node is set aside; 0 disables it.");
    public static final ConfigOption<Duration> SET_ASIDE = time(
            "set-aside", Duration.ofMinutes(5), "Time for which a node is set aside before it is tried with one job.");
    public static final ConfigOption<Integer> MAX_PILOTS = number(
            "max-pilots",
            200_000,
            "Maximum number of live pilots that are remembered; further pilots get jobs but do not count for"
                    + " a window. Also the maximum number of silent pilots that are drained or excluded, and of failing"
                    + " nodes; beyond it, the one not heard of for longest is forgotten.");

    public static final ConfigOption<String> POLICY = text(
            "policy",
            "iwrr",
            "Policy by which tasks share a pool: iwrr, strict (highest rank first, across all such pools), wrr, wfq, or the"
                    + " name of another policy (ServiceLoader). weir.pool.NAME.policy sets it for one pool; window, window-min and window-max likewise.");
    public static final ConfigOption<Integer> WINDOW = number(
            "window", 0, "Maximum number of jobs of a pool that are out at once; 0 follows the need of its pilots.");
    public static final ConfigOption<Integer> WINDOW_MIN = number(
            "window-min",
            16,
            "Minimum of a window that follows the pilots. With one lane, a pool without pilots gets no jobs"
                    + " while groups are limited.");
    public static final ConfigOption<Integer> WINDOW_MAX =
            number("window-max", 20_000, "Maximum of a window that follows the pilots.");

    public static final ConfigOption<List<String>> GROUP_RULES = ConfigOptions.key("weir.scheduling.group-rules")
            .stringType()
            .asList()
            .defaultValues()
            .withDescription("Rules that assign files to limit groups by URL: host, network (IPv4 /24, IPv6 /48) or"
                    + " regex:PATTERN, each with the default limits of its groups: host,max-in-flight=50,max-"
                    + "starts=100,window=10s. PATTERN has the syntax of RE2, without look-around and back references; its"
                    + " first group, or else the whole match, names the limit group. With any rule, datasets are read whole before their first job. The"
                    + " groups are called host:NAME, net:10.1.2.0/24, re:MATCH, and re2:MATCH of the second pattern.");
    public static final ConfigOption<Integer> MAX_GROUPS = number(
            "max-groups",
            100_000,
            "Maximum number of limit groups of a lane, and of sets of groups in which files of a task wait. Files of further"
                    + " ones are read once there is room; limit commands for further ones are rejected.");
    public static final ConfigOption<Integer> MAX_FILES_IN_MEMORY = number(
            "max-files-in-memory",
            20_000_000,
            "Maximum number of waiting files of a lane whose tasks choose among all their files, because of their order or"
                    + " of limit groups. Each takes 4 to 16 bytes of heap. Further files are read once there is room.");
    public static final ConfigOption<List<String>> GROUP_LIMITS = ConfigOptions.key("weir.scheduling.group-limits")
            .stringType()
            .asList()
            .defaultValues()
            .withDescription(
                    "Limits of single groups: host:store7,max-in-flight=10. A limit command overrides them. A file"
                            + " in two groups starts when both have a place: while others keep both full, a place in the one"
                            + " with the smaller max-in-flight is reserved for it at times; a group that limits only starts"
                            + " counts as the larger.");

    public static final ConfigOption<Duration> COMMAND_MEMORY =
            time("command-memory", Duration.ofDays(30), "Time for which the id of a command is remembered.");
    public static final ConfigOption<Duration> COMMAND_WAIT =
            time("command-wait", Duration.ofMinutes(10), "Time for which a command waits for an unknown task.");
    public static final ConfigOption<Integer> COMMAND_WAIT_MAX =
            number("command-wait-max", 10_000, "Maximum number of waiting commands; further ones are rejected.");

    public static final ConfigOption<Duration> TASK_ROW_INTERVAL = time(
            "task-row-interval",
            Duration.ofSeconds(1),
            "Interval at which a task's row is sent to the mirror while only its counts change.");
    public static final ConfigOption<Long> SEED = ConfigOptions.key("weir.scheduling.seed")
            .longType()
            .defaultValue(0L)
            .withDescription("Seed of random order and jitter.");

    private SchedulingOptions() {}

    private static ConfigOption<Integer> number(String key, int value, String description) {
        return ConfigOptions.key(PREFIX + key).intType().defaultValue(value).withDescription(description);
    }

    private static ConfigOption<Double> real(String key, double value, String description) {
        return ConfigOptions.key(PREFIX + key).doubleType().defaultValue(value).withDescription(description);
    }

    private static ConfigOption<Duration> time(String key, Duration value, String description) {
        return ConfigOptions.key(PREFIX + key)
                .durationType()
                .defaultValue(value)
                .withDescription(description);
    }

    private static ConfigOption<String> text(String key, String value, String description) {
        return ConfigOptions.key(PREFIX + key).stringType().defaultValue(value).withDescription(description);
    }
}
