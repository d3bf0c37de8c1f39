package dev.weir.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The numbers and choices of the scheduling core, as options. {@link CoreOptions} turns them into what the core takes. */
public final class SchedulingOptions {

    public static final ConfigOption<Integer> MAX_ACTIVE_TASKS = number(
            "max-active-tasks",
            1000,
            "Most tasks that are interleaved in one pool; the others wait by rank, then arrival. While the files of all of these wait for"
                    + " full groups and the window has room, more are admitted one by one.");
    public static final ConfigOption<Integer> MAX_OPEN_TASKS =
            number("max-open-tasks", 1_000_000, "Most tasks of a lane that are not closed; more are rejected.");
    public static final ConfigOption<Duration> WAIT_PER_RANK = time(
            "wait-per-rank",
            Duration.ofMinutes(10),
            "How long a task must wait for a slot to be worth one rank more than a newcomer.");
    public static final ConfigOption<Integer> READ_AHEAD =
            number("read-ahead", 8, "Tasks that may read their first page before a slot is free.");
    public static final ConfigOption<Duration> CLOSED_MEMORY = time(
            "closed-memory",
            Duration.ofDays(30),
            "How long the uid of a closed task is remembered, so that its repetition is recognised.");

    public static final ConfigOption<Integer> CHUNK_FILES = number(
            "chunk-files",
            250,
            "Base size of a chunk, in files; it grows with the weight, and is never below 4 × weight.");
    public static final ConfigOption<Integer> PAGE_FILES =
            number("page-files", 2000, "Files to a page for tasks that read their whole dataset before they choose.");
    public static final ConfigOption<Duration> PAGE_TIMEOUT = time(
            "page-timeout",
            Duration.ofMinutes(1),
            "An unanswered request for a page is made again after this, then after twice that.");
    public static final ConfigOption<Duration> PAGE_TIMEOUT_MAX =
            time("page-timeout-max", Duration.ofMinutes(10), "The longest such wait.");

    public static final ConfigOption<String> RANKER = text(
            "ranker",
            "linear-ageing",
            "How ranks evolve: linear-ageing, fixed, or another by its name (ServiceLoader).");
    public static final ConfigOption<Double> RANK_ALPHA =
            real("rank.alpha", 1, "α: how much a task gains that has waited a whole horizon for a job.");
    public static final ConfigOption<Double> RANK_BETA =
            real("rank.beta", 0, "β: how much a task gains whose last chunk was retries only; negative: loses.");
    public static final ConfigOption<Double> RANK_GAMMA = real(
            "rank.gamma",
            0.5,
            "γ: how much of the present rank is kept; below 1 ranks converge, 1 is the formula of the SPD design.");
    public static final ConfigOption<Duration> RANK_HORIZON =
            time("rank.horizon", Duration.ofMinutes(10), "After this long without a job a task has waited in full.");
    public static final ConfigOption<Integer> DEMOTE_TO =
            number("demote-to", 5, "The priority to which a file falls that has waited for its task's demote_after_s.");

    public static final ConfigOption<Integer> SYSTEM_RETRIES = number(
            "system-retries", 10, "Further attempts of a job after system failures, beside the task's own retry.");
    public static final ConfigOption<Duration> COOL_OFF =
            time("cool-off", Duration.ofSeconds(1), "Pause before a further attempt.");
    public static final ConfigOption<Double> COOL_OFF_FACTOR =
            real("cool-off-factor", 2, "Each failure multiplies the pause by this; 1 is a fixed pause.");
    public static final ConfigOption<Duration> COOL_OFF_MAX =
            time("cool-off-max", Duration.ofMinutes(5), "The longest pause.");
    public static final ConfigOption<Double> COOL_OFF_JITTER =
            real("cool-off-jitter", 0.2, "Share of the pause that is random, 0 to 1.");
    public static final ConfigOption<Duration> QUEUED_TIMEOUT = time(
            "queued-timeout",
            Duration.ofMinutes(10),
            "A job that no pilot has started after this is sent again, as the same attempt, if its message seems to be lost: one that was"
                    + " sent later has started, or none has for as long while a pilot has no job.");
    public static final ConfigOption<Duration> JOB_TIMEOUT =
            time("job-timeout", Duration.ofHours(24), "How long the program of a task without timeout_s may run.");
    public static final ConfigOption<Integer> AUTO_CANCEL_FROM = number(
            "auto-cancel-from",
            10,
            "Final failures of a task from which it is cancelled when they exceed its finished jobs.");
    public static final ConfigOption<List<String>> ERROR_RULES = ConfigOptions.key("weir.scheduling.error-rules")
            .stringType()
            .asList()
            .noDefaultValue()
            .withDescription(
                    "What failures are: the first rule that fits decides. Each is class[,exit=N][,type=T][,message=REGEX] with"
                            + " the classes payload, system and permanent, e.g. permanent,exit=64. Without any: stage_in, stage_out,"
                            + " disk_full and killed are system, all else is payload.");

    public static final ConfigOption<Duration> HEARTBEAT =
            time("heartbeat", Duration.ofSeconds(15), "How often pilots, and Weir to itself, say that they live.");
    public static final ConfigOption<Duration> LEASE = time(
            "lease",
            Duration.ofSeconds(60),
            "How long a silent pilot keeps its job, by the clock that Weir's own beats drive; two heartbeats at least.");
    public static final ConfigOption<Integer> SET_ASIDE_AFTER =
            number("set-aside-after", 5, "System failures in a row after which a pilot's node is set aside; 0: never.");
    public static final ConfigOption<Duration> SET_ASIDE =
            time("set-aside", Duration.ofMinutes(5), "How long it is set aside before it is tried with one job.");
    public static final ConfigOption<Integer> MAX_PILOTS = number(
            "max-pilots",
            200_000,
            "Most live pilots that are remembered at once; others get work, but count for no window. Also the most of those that are drained or excluded and silent, and the most nodes that fail: of more, the one that was heard of longest ago is forgotten.");

    public static final ConfigOption<String> POLICY = text(
            "policy",
            "iwrr",
            "How tasks share a pool: iwrr, strict (highest rank first, among all such pools), wrr or wfq.");
    public static final ConfigOption<Integer> WINDOW = number(
            "window",
            0,
            "How many jobs of a pool may be out at once; 0: as many as its pilots need so that none waits.");
    public static final ConfigOption<Integer> WINDOW_MIN = number(
            "window-min",
            16,
            "Never fewer than this; but with one lane none for a pool without pilots while groups are limited.");
    public static final ConfigOption<Integer> WINDOW_MAX =
            number("window-max", 20_000, "Never more than this while the window follows the pilots.");

    public static final ConfigOption<List<String>> GROUP_RULES = ConfigOptions.key("weir.scheduling.group-rules")
            .stringType()
            .asList()
            .defaultValues()
            .withDescription(
                    "Which limit groups a file's URL puts it in: host, network (IPv4 /24, IPv6 /48) or regex:PATTERN, each with"
                            + " the default limits of its groups: host,max-in-flight=50,max-starts=100,window=10s. With any rule"
                            + " datasets are read whole before their first job."
                            + " The groups are called host:NAME, net:10.1.2.0/24, re:MATCH, and re2:MATCH of the second pattern.");
    public static final ConfigOption<List<String>> GROUP_LIMITS = ConfigOptions.key("weir.scheduling.group-limits")
            .stringType()
            .asList()
            .defaultValues()
            .withDescription(
                    "Limits of single groups: host:store7,max-in-flight=10. A limit command overrides them. A file that is in two groups"
                            + " starts when both have a place: where others keep both full, a place in the one with the smaller"
                            + " max-in-flight is reserved for it at times; one that limits only starts counts as the larger.");

    public static final ConfigOption<Duration> COMMAND_MEMORY =
            time("command-memory", Duration.ofDays(30), "How long a command's id is remembered.");
    public static final ConfigOption<Duration> COMMAND_WAIT =
            time("command-wait", Duration.ofMinutes(10), "How long a command waits for a task that is not here yet.");
    public static final ConfigOption<Integer> COMMAND_WAIT_MAX =
            number("command-wait-max", 10_000, "Most commands that wait so; more are rejected.");

    public static final ConfigOption<Duration> TASK_ROW_INTERVAL = time(
            "task-row-interval",
            Duration.ofSeconds(1),
            "How often a task's row is sent to the mirror while only its counts change.");
    public static final ConfigOption<Long> SEED = ConfigOptions.key("weir.scheduling.seed")
            .longType()
            .defaultValue(0L)
            .withDescription("Seed of random order and jitter.");

    private SchedulingOptions() {}

    private static ConfigOption<Integer> number(String key, int value, String description) {
        return ConfigOptions.key("weir.scheduling." + key)
                .intType()
                .defaultValue(value)
                .withDescription(description);
    }

    private static ConfigOption<Double> real(String key, double value, String description) {
        return ConfigOptions.key("weir.scheduling." + key)
                .doubleType()
                .defaultValue(value)
                .withDescription(description);
    }

    private static ConfigOption<Duration> time(String key, Duration value, String description) {
        return ConfigOptions.key("weir.scheduling." + key)
                .durationType()
                .defaultValue(value)
                .withDescription(description);
    }

    private static ConfigOption<String> text(String key, String value, String description) {
        return ConfigOptions.key("weir.scheduling." + key)
                .stringType()
                .defaultValue(value)
                .withDescription(description);
    }
}
