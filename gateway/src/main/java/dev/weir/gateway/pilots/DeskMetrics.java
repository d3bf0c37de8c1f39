package dev.weir.gateway.pilots;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** Counts jobs and reports of pilots without AMQP. */
final class DeskMetrics {

    private final Counter given;
    private final Counter returned;
    private final Counter reported;

    DeskMetrics(MeterRegistry registry, Supplier<Number> waiting, Supplier<Number> held) {
        Gauge.builder("weir_gateway_pilots_waiting", waiting)
                .description("Requests of pilots that wait for a job or a notice.")
                .register(registry);
        Gauge.builder("weir_gateway_jobs_unreported", held)
                .description("Jobs that pilots took and have not reported yet.")
                .register(registry);
        given = Counter.builder("weir_gateway_jobs_given")
                .description("Jobs that pilots took.")
                .register(registry);
        returned = Counter.builder("weir_gateway_jobs_returned")
                .description("Jobs that pilots took and did not report, and that went back to their queues.")
                .register(registry);
        reported = Counter.builder("weir_gateway_reports")
                .description("Reports that pilots made.")
                .register(registry);
    }

    void given() {
        given.increment();
    }

    void returned() {
        returned.increment();
    }

    void reported() {
        reported.increment();
    }
}
