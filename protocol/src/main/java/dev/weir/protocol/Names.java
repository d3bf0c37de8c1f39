package dev.weir.protocol;

/** The default names of queues, exchanges and routing keys; all are configurable. */
public final class Names {

    /** Takes what any sender sends, by key: for a sender that may send everything. */
    public static final String EXCHANGE = "weir";

    /**
     * One exchange for each kind of sender, because a broker grants the right to send for an exchange. None is called as a
     * queue: the right to one would be a right to the other.
     */
    public static final String SEND_TASKS = "weir.send.tasks";

    public static final String SEND_COMMANDS = "weir.send.commands";
    public static final String SEND_REPORTS = "weir.send.reports";
    public static final String SEND_REJECTED = "weir.send.rejected";

    public static final String TASKS_KEY = "tasks";
    public static final String COMMANDS_KEY = "commands";
    public static final String REPORTS_KEY = "reports";
    public static final String REJECTED_KEY = "rejected";

    public static final String TASKS = "weir.tasks";
    public static final String COMMANDS = "weir.commands";
    public static final String REPORTS = "weir.reports";
    public static final String PAGES = "weir.pages";
    public static final String MIRROR = "weir.mirror";
    public static final String REJECTED = "weir.rejected";

    /** In the queue of rejected messages; beyond it RabbitMQ drops the oldest. */
    public static final long REJECTED_MAX_BYTES = 256L << 20;

    /** RabbitMQ's queue argument for such a bound. Other brokers refuse it. */
    public static final String MAX_BYTES_ARGUMENT = "x-max-length-bytes";

    public static final String DSM_REGISTER = "dsm.register";

    /** Exchange of notices; the key is a pilot's id or {@link #NOTICE_ALL}. */
    public static final String NOTICES = "weir.notices";

    public static final String NOTICE_ALL = "all";

    /** Topic exchange of task events; keys are {@code task.<state>}. */
    public static final String EVENTS = "weir.events";

    /** Takes what gateways ask of the queues, by key. */
    public static final String SEND_QUEUES = "weir.send.queues";

    public static final String ITEMS_KEY = "items";
    public static final String DONE_KEY = "done";
    public static final String ASKS_KEY = "asks";

    /** Queue of pushes, and of changes to keys, owners and queues, in one order with them. */
    public static final String ITEMS = "weir.items";

    /** Queue of what is about leases and limit groups: what workers made of their items. */
    public static final String DONE = "weir.done";

    /** Queue of pops and questions, which expire when their clients wait no longer. */
    public static final String ASKS = "weir.asks";

    /** Direct exchange of answers; the key is a gateway. */
    public static final String ANSWERS = "weir.answers";

    public static final String JOBS_PREFIX = "weir.jobs.";
    public static final String CPU_POOL = "cpu";
    public static final String GPU_POOL = "gpu";

    private Names() {}

    /** The queue of a pool's jobs. */
    public static String jobs(String pool) {
        return JOBS_PREFIX + pool;
    }

    /** The default pool of a device type. */
    public static String pool(DeviceType deviceType) {
        return deviceType == DeviceType.GPU ? GPU_POOL : CPU_POOL;
    }
}
