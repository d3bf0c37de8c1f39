package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Json;
import dev.weir.protocol.Mode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract describes this gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContractTest {

    private static final String METRIC = "weir_gateway_[a-z_]+";

    private TestGateway gateway;
    private TestQueues queues;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    @Test
    void everyOperationOfTheContractIsThere() throws Exception {
        for (Contract.Operation operation : Contract.operations()) {
            String body = operation.isChange() ? "{\"nonsense\": 1}" : null;
            Answer answer =
                    gateway.send(operation.method(), operation.samplePath(), gateway.byRole.get(Role.OPERATOR), body);

            // Nothing is called run7-1 here: an operation that is there says so, another one says that there is no
            // page.
            assertThat(answer.body()).as(operation.name()).doesNotContain("No such page");
            assertThat(answer.status()).as(operation.name()).isNotIn(405, 500, 503);
        }
    }

    @Test
    void everyReferenceLeadsSomewhereAndEveryOperationHasANameOfItsOwn() {
        List<String> references = Contract.document().findValuesAsText("$ref");
        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                Contract.document().at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
        assertThat(Contract.operations().stream()
                        .map(operation -> operation.node().get("operationId").asText()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aTaskOfTheContractHasTheFieldsOfATaskOnTheQueue() throws Exception {
        try (InputStream in = getClass().getResourceAsStream("/schema/task.json")) {
            JsonNode queue = Json.mapper().readTree(in);
            JsonNode contract = Contract.document().at("/components/schemas/NewTask");

            assertThat(names(contract.get("properties"))).isEqualTo(names(queue.get("properties")));
            assertThat(contract.get("required")).isEqualTo(queue.get("required"));
        }
    }

    @Test
    void whereTheContractListsWordsItListsAllOfTheProtocol() throws Exception {
        Map<String, Enum<?>[]> words =
                Map.of("error_type", ErrorType.values(), "device_type", DeviceType.values(), "mode", Mode.values());
        words.forEach((field, values) -> {
            List<JsonNode> lists = Contract.document().findValues(field).stream()
                    .filter(node -> node.has("enum"))
                    .map(node -> node.get("enum"))
                    .toList();
            assertThat(lists)
                    .as(field)
                    .isNotEmpty()
                    .allSatisfy(list ->
                            assertThat(list).map(JsonNode::asText).containsExactlyInAnyOrderElementsOf(words(values)));
        });
        try (InputStream in = getClass().getResourceAsStream("/gateway/ui/job.js")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains(words(ErrorType.values()).stream()
                            .map(word -> word + ": \"")
                            .toList());
        }
    }

    private static List<String> words(Enum<?>... values) {
        return Stream.of(values)
                .map(value -> Json.mapper().valueToTree(value).asText())
                .toList();
    }

    private static TreeSet<String> names(JsonNode object) {
        TreeSet<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void anAnswerThatTheContractDoesNotAllowIsFound() throws Exception {
        assertThat(Contract.errors("#/components/schemas/Health", Json.mapper().readTree("{\"status\": \"sick\"}")))
                .isNotEmpty();
        assertThat(Contract.errors(
                        "#/components/schemas/TaskPage", Json.mapper().readTree("{\"data\": [{\"uid\": \"t\"}]}")))
                .isNotEmpty();
    }

    @Test
    void theContractAndItsPageAreServedWithAllThatThePageNeeds() throws Exception {
        assertThat(gateway.send("GET", "/openapi.yaml", null, null).body()).startsWith("openapi: 3.1");
        String page = gateway.send("GET", "/docs", null, null).body();
        for (String file : List.of("/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/docs.js")) {
            assertThat(page).contains(file);
            try (InputStream in = gateway.url().resolve(file).toURL().openStream()) {
                assertThat(in.readAllBytes().length).as(file).isPositive();
            }
        }
    }

    @Test
    void metricsTimeRequestsByTheirRoute() throws Exception {
        gateway.get("/task/unknown");
        gateway.send("INVENTED", "/task/unknown", gateway.byRole.get(Role.VIEWER), null);
        String metrics = gateway.get("/metrics").body();

        assertThat(metrics)
                .contains("weir_gateway_requests_seconds_count{method=\"GET\",route=\"/task/{id}\",status=\"404\"}")
                .contains("weir_gateway_broker_connected 1.0")
                .contains("jvm_memory_used_bytes")
                .contains("hikaricp_connections")
                .contains("method=\"other\"")
                .doesNotContain("unknown", "INVENTED");
    }

    @Test
    void everyMetricThatDocumentsAndAlertsNameIsServedUnderThatName() throws Exception {
        gateway.get("/task/unknown");
        Set<String> served = names(
                "(?m)^(?:# TYPE )?(" + METRIC + ")[ {]", gateway.get("/metrics").body());
        Set<String> named = new TreeSet<>();
        for (String file : List.of("docs/OPERATIONS.md", "docs/GATEWAY.md", "flink-conf/alerts.yml")) {
            named.addAll(names(
                    "\\b(" + METRIC + ")\\b", Files.readString(Path.of("..").resolve(file))));
        }

        assertThat(named).contains("weir_gateway_reports_total", "weir_gateway_broker_connected");
        assertThat(served).containsAll(named);
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
