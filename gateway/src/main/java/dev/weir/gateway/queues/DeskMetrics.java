package dev.weir.gateway.queues;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Counts what is asked of the queues. */
final class DeskMetrics {

    private final Counter givenBack;

    DeskMetrics(MeterRegistry registry, Supplier<Number> unanswered) {
        Gauge.builder("weir_gateway_queue_unanswered", unanswered)
                .description("Pushes, pops and other entries that wait for the queues' answers.")
                .register(registry);
        givenBack = Counter.builder("weir_gateway_queue_items_given_back")
                .description("Items that came for a client that had gone or whose time was over, and that went back.")
                .register(registry);
    }

    void givenBack() {
        givenBack.increment();
    }
}
