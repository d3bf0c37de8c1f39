package dev.weir.gateway.broker;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.AMQImpl;
import dev.weir.gateway.options.BrokerNames;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A broker that accepts everything and gives nothing, except where a test says what a method does. */
public final class ScriptedBroker {

    /** What a method does instead. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    /** The methods that were called on its channels and connections, in order. */
    final List<String> calls = new CopyOnWriteArrayList<>();

    final List<CancelCallback> cancels = new CopyOnWriteArrayList<>();

    private final Map<String, Step> script = new ConcurrentHashMap<>();

    /** From now on this method does that first. */
    public void on(String method, Step step) {
        script.put(method, step);
    }

    /** A link to it, with notices. */
    public Link link(Notices notices) {
        ConnectionFactory factory = new ConnectionFactory() {
            @Override
            public Connection newConnection(String name) {
                run("connect " + name);
                return connection();
            }
        };
        return new Link(factory, BrokerNames.DEFAULT, new Outcomes(), new LowQueues(), notices);
    }

    Connection connection() {
        return fake(Connection.class);
    }

    Channel channel() {
        return fake(Channel.class);
    }

    long calls(String method) {
        return calls.stream().filter(method::equals).count();
    }

    private void run(String method) {
        calls.add(method);
        try {
            script.getOrDefault(method, () -> {}).run();
        } catch (Exception e) {
            throw ScriptedBroker.<RuntimeException>unchecked(e);
        }
    }

    /** A proxy may throw what the interface declares. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable e) throws E {
        throw (E) e;
    }

    private <T> T fake(Class<T> type) {
        boolean[] closed = {false};
        AtomicLong published = new AtomicLong(1);
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    run(name);
                    return switch (name) {
                        case "abort" -> {
                            closed[0] = true;
                            yield null;
                        }
                        case "isOpen" -> !closed[0];
                        case "createChannel" -> channel();
                        case "queueDeclare" -> new AMQImpl.Queue.DeclareOk("own", 0, 0);
                        case "basicConsume" -> {
                            cancels.add((CancelCallback) arguments[arguments.length - 1]);
                            yield "tag";
                        }
                        case "getNextPublishSeqNo" -> published.get();
                        case "basicPublish" -> {
                            published.incrementAndGet();
                            yield null;
                        }
                        default -> nothing(method);
                    };
                }));
    }

    private static Object nothing(Method method) {
        return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
    }
}
