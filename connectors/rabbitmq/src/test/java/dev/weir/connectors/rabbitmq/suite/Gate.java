package dev.weir.connectors.rabbitmq.suite;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.functions.MapFunction;

/** Stops at one text until it is opened; shared by name because functions are copied. */
public record Gate(String name, String stopsAt) implements MapFunction<String, String> {

    private static final Map<String, CountDownLatch> OPENED = new ConcurrentHashMap<>();

    @Override
    public String map(String text) throws InterruptedException {
        if (text.equals(stopsAt)) {
            opened().await();
        }
        return text;
    }

    public void open() {
        opened().countDown();
    }

    private CountDownLatch opened() {
        return OPENED.computeIfAbsent(name, n -> new CountDownLatch(1));
    }
}
