package dev.weir.job.schedule;

import dev.weir.job.options.AmqpOptions;
import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;

/** The exchanges and queues of the scheduling function's effects. */
public record Addresses(
        String jobsPrefix,
        String noticesExchange,
        String eventsExchange,
        String registerQueue,
        String pagesQueue,
        String reportsQueue,
        String commandsQueue)
        implements Serializable {

    public static Addresses of(ReadableConfig configuration) {
        return new Addresses(
                configuration.get(AmqpOptions.JOBS_PREFIX),
                configuration.get(AmqpOptions.NOTICES),
                configuration.get(AmqpOptions.EVENTS),
                configuration.get(AmqpOptions.DSM_REGISTER),
                configuration.get(AmqpOptions.PAGES),
                configuration.get(AmqpOptions.REPORTS),
                configuration.get(AmqpOptions.COMMANDS));
    }
}
