package dev.weir.connectors.rabbitmq.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.source.Delivery;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.Undeserializable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.environment.TestEnvironmentSettings;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/** What an operator sees of source and sink: asked for as Flink's web UI does, over its REST API. */
class MetricsTest {

    private static final int PREFETCH = 6;
    private static final Pattern VERTEX = Pattern.compile("\"id\":\"([0-9a-f]{32})\"");
    private static final Pattern NAME = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern SUM = Pattern.compile("\"id\":\"([^\"]+)\",\"sum\":([0-9.E]+)");

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void recordsErrorsAndWhatIsPendingAreVisibleInFlink() throws Exception {
        MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment();
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                SeenLogs logs = SeenLogs.ofEverything();
                TextQueues queues = new TextQueues(broker)) {
            cluster.startUp();
            String from = queues.create("metrics-from");
            String to = queues.create("metrics-to");
            List<String> texts = new ArrayList<>(List.of("poison", "lost"));
            for (int n = 0; n < 20; n++) {
                texts.add("good" + n);
            }
            queues.write(from, texts);
            JobClient job = start(cluster, broker, from, to);
            String api = "http://" + cluster.getRestEndpoint().getAddress() + ":"
                    + cluster.getRestEndpoint().getPort() + "/jobs/" + job.getJobID();
            // Nothing is acknowledged, for want of checkpoints: what the prefetch window holds is all that is read.
            Jobs.await()
                    .untilAsserted(() -> assertThat(metrics(api))
                            .containsEntry("Source__from.numRecordsIn", "6.0")
                            .containsEntry("Source__from.numRecordsInErrors", "1.0")
                            .containsEntry("Source__from.numBytesIn", bytes(texts.subList(0, PREFETCH)))
                            .containsEntry("Source__from.duplicatesDropped", "0.0")
                            .containsEntry("Source__from.reconnects", "0.0")
                            // The broker in this process counts what is unacknowledged too.
                            .containsEntry("Source__from.pendingRecords", "22.0")
                            .containsEntry("to__Writer.numRecordsIn", "5.0")
                            .containsEntry("to__Writer.numRecordsSend", "5.0")
                            .containsEntry("to__Writer.numBytesSend", bytes(texts.subList(1, PREFETCH)))
                            .containsEntry("to__Writer.unroutable", "1.0")
                            .containsEntry("to__Writer.unconfirmed", "0.0")
                            .containsEntry("to__Writer.blocked", "0.0")
                            // Once as returned, once as nacked: that is how this broker says it.
                            .containsEntry("to__Writer.numRecordsSendErrors", "2.0"));
            job.cancel().get();
            assertThat(logs.containing("this is poison"))
                    .singleElement()
                    .asString()
                    .contains("Dropped", from);
            assertThat(logs.containing("Dropped the message lost to exchange '' with routing key"))
                    .hasSize(1);
        } finally {
            cluster.tearDown();
        }
    }

    private static String bytes(List<String> texts) {
        return texts.stream().mapToInt(String::length).sum() + ".0";
    }

    private static JobClient start(MiniClusterTestEnvironment cluster, EmbeddedBroker broker, String from, String to)
            throws Exception {
        var flink = cluster.createExecutionEnvironment(TestEnvironmentSettings.builder()
                .setConnectorJarPaths(List.of())
                .build());
        flink.setParallelism(1);
        flink.fromSource(
                        Jobs.source(broker, from, DeliveryGuarantee.EXACTLY_ONCE)
                                .setPrefetch(PREFETCH)
                                .setDeserializer(new RefusesPoison())
                                .setUndeserializable(Undeserializable.dropAndCount())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "from")
                .sinkTo(Jobs.sink(broker, to, Publishing.AT_ONCE)
                        .setUnroutable(Unroutable.dropAndCount())
                        .setRouter(text -> AmqpMessage.persistent(
                                "",
                                text.equals("lost") ? "weir-connector-test.nowhere" : to,
                                text,
                                text.getBytes(StandardCharsets.UTF_8)))
                        .build())
                .name("to");
        return flink.executeAsync();
    }

    private static final class RefusesPoison implements DeliveryDeserializer<String> {
        @Override
        public void deserialize(Delivery delivery, Collector<String> out) {
            String text = new String(delivery.body(), StandardCharsets.UTF_8);
            if (text.equals("poison")) {
                throw new IllegalArgumentException("this is poison");
            }
            out.collect(text);
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }

    /** All metrics of all vertices, each summed over its subtasks. */
    private Map<String, String> metrics(String api) throws IOException, InterruptedException {
        Map<String, String> metrics = new HashMap<>();
        for (String vertex : all(VERTEX, get(api))) {
            String url = api + "/vertices/" + vertex + "/subtasks/metrics";
            String names = String.join(",", all(NAME, get(url)));
            Matcher sum = SUM.matcher(get(url + "?agg=sum&get=" + names));
            while (sum.find()) {
                metrics.put(sum.group(1), sum.group(2));
            }
        }
        return metrics;
    }

    private static List<String> all(Pattern pattern, String in) {
        return pattern.matcher(in).results().map(result -> result.group(1)).toList();
    }

    private String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
