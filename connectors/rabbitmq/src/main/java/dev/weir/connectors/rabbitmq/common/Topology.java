package dev.weir.connectors.rabbitmq.common;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Queues, exchanges and bindings to declare after every connect. Nothing is declared unless a topology is given; what
 * exists with other properties makes the broker refuse, and that is reported, never overridden.
 *
 * <p>Arguments are passed on as they are. Arguments that only RabbitMQ knows ({@code x-queue-type}, {@code
 * x-max-priority}, {@code x-dead-letter-exchange}, …) go into {@link Queue#rabbitArguments()}: other brokers, such as
 * Qpid, answer them by closing the connection, so they are sent to RabbitMQ only.
 */
@PublicEvolving
public final class Topology implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Declares nothing. */
    public static final Topology NONE = new Topology(List.of(), List.of(), List.of());

    private final List<Exchange> exchanges;
    private final List<Queue> queues;
    private final List<Binding> bindings;

    private Topology(List<Exchange> exchanges, List<Queue> queues, List<Binding> bindings) {
        this.exchanges = new ArrayList<>(exchanges);
        this.queues = new ArrayList<>(queues);
        this.bindings = new ArrayList<>(bindings);
    }

    /**
     * A durable exchange.
     *
     * @param type {@code direct}, {@code topic}, {@code fanout}, {@code headers}, or what a plugin adds
     * @param arguments sent to every broker
     * @param rabbitArguments sent to RabbitMQ only, such as {@code alternate-exchange}
     */
    public record Exchange(String name, String type, Map<String, Object> arguments, Map<String, Object> rabbitArguments)
            implements Serializable {
        public Exchange {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            arguments = new HashMap<>(arguments);
            rabbitArguments = new HashMap<>(rabbitArguments);
        }
    }

    /**
     * A durable, shared queue.
     *
     * @param arguments sent to every broker
     * @param rabbitArguments sent to RabbitMQ only, such as {@code x-queue-type}
     */
    public record Queue(String name, Map<String, Object> arguments, Map<String, Object> rabbitArguments)
            implements Serializable {
        public Queue {
            Objects.requireNonNull(name, "name");
            arguments = new HashMap<>(arguments);
            rabbitArguments = new HashMap<>(rabbitArguments);
        }
    }

    /**
     * A queue's binding to an exchange.
     *
     * @param arguments what a {@code headers} exchange matches; empty for others
     */
    public record Binding(String queue, String exchange, String routingKey, Map<String, Object> arguments)
            implements Serializable {
        public Binding {
            Objects.requireNonNull(queue, "queue");
            Objects.requireNonNull(exchange, "exchange");
            Objects.requireNonNull(routingKey, "routingKey");
            arguments = new HashMap<>(arguments);
        }
    }

    /** Durable queues without arguments. */
    public static Topology queues(String... names) {
        Topology topology = NONE;
        for (String name : names) {
            topology = topology.withQueue(name);
        }
        return topology;
    }

    /** The same with a further durable queue without arguments. */
    public Topology withQueue(String name) {
        return withQueue(new Queue(name, Map.of(), Map.of()));
    }

    /** The same with a further queue. */
    public Topology withQueue(Queue queue) {
        List<Queue> more = new ArrayList<>(queues);
        more.add(queue);
        return new Topology(exchanges, more, bindings);
    }

    /** The same with a further durable exchange without arguments. */
    public Topology withExchange(String name, String type) {
        return withExchange(new Exchange(name, type, Map.of(), Map.of()));
    }

    /** The same with a further exchange. */
    public Topology withExchange(Exchange exchange) {
        List<Exchange> more = new ArrayList<>(exchanges);
        more.add(exchange);
        return new Topology(more, queues, bindings);
    }

    /** The same with a further binding without arguments. */
    public Topology withBinding(String queue, String exchange, String routingKey) {
        return withBinding(new Binding(queue, exchange, routingKey, Map.of()));
    }

    /** The same with a further binding. */
    public Topology withBinding(Binding binding) {
        List<Binding> more = new ArrayList<>(bindings);
        more.add(binding);
        return new Topology(exchanges, queues, more);
    }

    /** Whether there is nothing to declare. */
    public boolean isEmpty() {
        return exchanges.isEmpty() && queues.isEmpty() && bindings.isEmpty();
    }

    /**
     * Declares exchanges, then queues, then bindings.
     *
     * @throws IOException if the broker refuses; the channel is closed then
     */
    public void declareOn(Channel channel) throws IOException {
        boolean rabbit = Peer.isRabbit(channel);
        for (Exchange exchange : exchanges) {
            Map<String, Object> arguments = all(exchange.arguments(), exchange.rabbitArguments(), rabbit);
            declare(
                    "exchange '" + exchange.name() + "'",
                    () -> channel.exchangeDeclare(exchange.name(), exchange.type(), true, false, arguments));
        }
        for (Queue queue : queues) {
            Map<String, Object> arguments = all(queue.arguments(), queue.rabbitArguments(), rabbit);
            declare(
                    "queue '" + queue.name() + "'",
                    () -> channel.queueDeclare(queue.name(), true, false, false, arguments));
        }
        for (Binding binding : bindings) {
            declare(
                    "the binding of queue '" + binding.queue() + "' to exchange '" + binding.exchange() + "'",
                    () -> channel.queueBind(
                            binding.queue(), binding.exchange(), binding.routingKey(), binding.arguments()));
        }
    }

    private interface Declaration {
        Object on() throws IOException;
    }

    /** Says which one was refused: it need not have to do with the queue that is to be consumed. */
    private static void declare(String what, Declaration declaration) throws IOException {
        try {
            var unused = declaration.on();
        } catch (IOException | RuntimeException e) {
            throw new DeclarationException(what, e);
        }
    }

    private static Map<String, Object> all(Map<String, Object> given, Map<String, Object> ofRabbit, boolean rabbit) {
        Map<String, Object> arguments = new HashMap<>(given);
        if (rabbit) {
            arguments.putAll(ofRabbit);
        }
        return arguments;
    }
}
