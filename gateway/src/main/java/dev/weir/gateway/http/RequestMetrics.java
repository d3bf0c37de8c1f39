package dev.weir.gateway.http;

import dev.weir.gateway.access.Role;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Times requests by method, route and status, and gives all metrics of the process to Prometheus. */
final class RequestMetrics {

    private static final String START = "weir.start";
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    RequestMetrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    void watchBroker(BooleanSupplier connected) {
        Gauge.builder("weir_gateway_broker_connected", () -> connected.getAsBoolean() ? 1 : 0)
                .description("Whether the gateway can send to the broker.")
                .register(registry);
    }

    void addTo(RoutesConfig routes) {
        routes.get(
                "/metrics",
                http -> http.contentType(TEXT_FORMAT).result(registry.scrape()),
                Role.VIEWER,
                Role.OPERATOR);
    }

    void begin(Context http) {
        http.attribute(START, System.nanoTime());
    }

    void end(Context http) {
        Long start = http.attribute(START);
        if (start == null) {
            return;
        }
        Endpoint endpoint = http.endpoints().matchedHttpEndpoint();
        Timer.builder("weir_gateway_requests")
                .description("Requests and how long they took, outcomes that were waited for included.")
                // Not the path, nor any method: a client may invent any number of them.
                .tag(
                        "method",
                        METHODS.contains(http.method().name()) ? http.method().name() : "other")
                .tag("route", endpoint == null ? "none" : endpoint.path)
                .tag("status", Integer.toString(http.statusCode()))
                .serviceLevelObjectives(BOUNDS)
                .register(registry)
                .record(Duration.ofNanos(System.nanoTime() - start));
    }
}
