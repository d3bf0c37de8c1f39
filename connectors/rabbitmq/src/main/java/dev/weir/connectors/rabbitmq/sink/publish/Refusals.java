package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.PublisherMetrics;
import dev.weir.connectors.rabbitmq.sink.Refused;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deals with messages that will never be taken. A broker that closes the channel at one does not say which: what was written on
 * that channel is then repeated one at a time, until it closes at a message that is alone. Called by the thread that has abandoned the
 * channel, before there is another.
 */
final class Refusals {

    private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

    private final PublisherState state;
    private final Refused handler;
    private final PublisherMetrics metrics;
    /** What was published in place of others, and is not refused twice. */
    private final Set<AmqpMessage> substitutes =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    Refusals(PublisherState state, Refused handler, PublisherMetrics metrics) {
        this.state = state;
        this.handler = handler;
        this.metrics = metrics;
    }

    /** The broker has closed the channel at a message that was written on it. */
    void closedAtAMessage(String why) {
        metrics.errors().inc();
        Optional<AmqpMessage> culprit = state.findRefused();
        if (culprit.isPresent()) {
            refused(culprit.get(), why);
        } else {
            LOG.warn("The broker refused a message ({}): publishing one at a time to find out which", why);
        }
    }

    /** A message cannot be written at all. */
    void unencodable(AmqpMessage message, RuntimeException cause) {
        metrics.errors().inc();
        refused(message, "it cannot be encoded: " + cause);
    }

    /** The message was settled, and needs no watching any more. */
    void forget(AmqpMessage message) {
        if (!substitutes.isEmpty()) {
            substitutes.remove(message);
        }
    }

    private void refused(AmqpMessage message, String why) {
        AmqpMessage instead;
        try {
            Refused decides = substitutes.contains(message) ? Refused.fail() : handler;
            instead = decides.instead(message, why);
        } catch (IOException e) {
            state.fail(e);
            return;
        } catch (RuntimeException | Error e) {
            // An error too: the threads that call this would swallow it, and leave the channel abandoned.
            state.fail(
                    new IOException("No substitute could be made for " + message + ", which was refused: " + why, e));
            return;
        }
        metrics.refused().inc();
        LOG.warn(
                "Message {} was refused: {}; {}", message, why, instead == null ? "dropped" : "replaced by " + instead);
        if (instead != null) {
            substitutes.add(instead);
        }
        state.replace(message, instead);
    }
}
