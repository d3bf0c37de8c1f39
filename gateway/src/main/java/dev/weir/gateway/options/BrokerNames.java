package dev.weir.gateway.options;

import dev.weir.protocol.Names;

/**
 * What things are called at the broker.
 *
 * @param tasks the exchange to which tasks go
 * @param commands the exchange to which commands go
 * @param reports the exchange to which pilots' reports go
 * @param events the exchange where outcomes come from
 * @param notices the exchange where pilots' notices come from
 * @param sendQueues the exchange to which what is asked of the queues goes
 * @param answers the exchange where the queues' answers come from
 * @param jobsPrefix comes before a pool's name in the name of its queue
 * @param queues of rejected messages, and where these came from
 */
public record BrokerNames(
        String tasks,
        String commands,
        String reports,
        String events,
        String notices,
        String sendQueues,
        String answers,
        String jobsPrefix,
        Queues queues) {

    /** With the default names of what the queues use. */
    public BrokerNames(
            String tasks,
            String commands,
            String reports,
            String events,
            String notices,
            String jobsPrefix,
            Queues queues) {
        this(tasks, commands, reports, events, notices, Names.SEND_QUEUES, Names.ANSWERS, jobsPrefix, queues);
    }

    /**
     * Names of queues.
     *
     * @param rejected of rejected messages
     * @param tasks to which the exchange of tasks leads; the others likewise
     */
    public record Queues(String rejected, String tasks, String commands, String reports) {

        public static final Queues DEFAULT = new Queues(Names.REJECTED, Names.TASKS, Names.COMMANDS, Names.REPORTS);
    }

    public static final BrokerNames DEFAULT = new BrokerNames(
            Names.SEND_TASKS,
            Names.SEND_COMMANDS,
            Names.SEND_REPORTS,
            Names.EVENTS,
            Names.NOTICES,
            Names.JOBS_PREFIX,
            Queues.DEFAULT);
}
