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
 * @param jobsPrefix comes before a pool's name in the name of its queue
 */
public record BrokerNames(
        String tasks, String commands, String reports, String events, String notices, String jobsPrefix) {

    public static final BrokerNames DEFAULT = new BrokerNames(
            Names.SEND_TASKS, Names.SEND_COMMANDS, Names.SEND_REPORTS, Names.EVENTS, Names.NOTICES, Names.JOBS_PREFIX);
}
