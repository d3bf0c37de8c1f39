package dev.weir.pilot.broker;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job message, held and not yet acknowledged. When its session is cut before that, the broker gives it to somebody again.
 *
 * @param pool whose queue it came from
 * @param isRedelivered whether the broker has given it to somebody before
 */
public record Delivery(Channel channel, long tag, String pool, byte[] body, boolean isRedelivered) {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    /** Says for good that this pilot has it. */
    public void acknowledge() {
        answer("acknowledged", () -> channel.basicAck(tag, false));
    }

    /**
     * Drops it: no pilot could do anything with it. RabbitMQ hands it to the queue's dead-letter exchange, if it has one. Qpid
     * would give a rejected message out again for ever, so elsewhere it is acknowledged.
     */
    public void reject() {
        Object product = channel.getConnection().getServerProperties().get("product");
        if (product != null && product.toString().equals("RabbitMQ")) {
            answer("rejected", () -> channel.basicReject(tag, false));
        } else {
            answer("dropped", () -> channel.basicAck(tag, false));
        }
    }

    /** Gives it back, for another pilot. */
    public void giveBack() {
        answer("given back", () -> channel.basicReject(tag, true));
    }

    private interface Answer {
        void send() throws IOException;
    }

    private void answer(String what, Answer answer) {
        try {
            answer.send();
        } catch (IOException | AlreadyClosedException e) {
            LOG.info("A job could not be {}, the connection is cut; the broker gives it out again", what);
        }
    }
}
