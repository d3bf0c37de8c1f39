package dev.weir.pilot.broker;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.weir.pilot.uplink.Delivery;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job message, held and not yet acknowledged. When its session is lost before that, the broker delivers it again.
 *
 * @param pool whose queue it came from
 */
record AmqpDelivery(Channel channel, long tag, String pool, byte[] body) implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(AmqpDelivery.class);

    @Override
    public void acknowledge() {
        answer("acknowledged", () -> channel.basicAck(tag, false));
    }

    /**
     * Drops it: no pilot could use it. RabbitMQ sends it to the queue's dead-letter exchange, if it has one. Qpid
     * would deliver a rejected message again without end, so elsewhere it is acknowledged.
     */
    @Override
    public void reject() {
        Object product = channel.getConnection().getServerProperties().get("product");
        if (product != null && product.toString().equals("RabbitMQ")) {
            answer("rejected", () -> channel.basicReject(tag, false));
        } else {
            answer("dropped", () -> channel.basicAck(tag, false));
        }
    }

    @Override
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
            LOG.info("A job could not be {}: the connection was lost; the broker delivers it again", what);
        }
    }
}
