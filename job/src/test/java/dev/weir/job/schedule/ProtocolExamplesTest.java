package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Plays the examples of docs/PROTOCOL.md: the page's task is sent, its dataset is answered, its reports arrive. What the operator
 * then writes is what the page shows, ids and paths included.
 */
class ProtocolExamplesTest {

    private static final Path PAGE = Path.of("..", "docs", "PROTOCOL.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```json ([a-z]+)\\n(.*?)^```$");
    private static final Set<String> DEPENDS_ON_THE_CLOCK = Set.of("at", "registered_at", "version");

    private final List<JsonNode> jobs = new ArrayList<>();
    private final List<JsonNode> decisions = new ArrayList<>();
    private final List<JsonNode> rows = new ArrayList<>();
    private OperatorOnTheBench operator;

    @BeforeEach
    void playTheExamples() throws Exception {
        operator = new OperatorOnTheBench(new Configuration());
        operator.arrive(Kind.TASK, "weir.tasks", Json.write(examples("task").get(0)));
        operator.answerPages(Json.write(examples("dataset").get(0)));
        take();
        JsonNode failed = examples("result").get(1);
        JsonNode finished = examples("result").get(0);
        report(failed);
        operator.pass(2 * SchedulingOptions.COOL_OFF.defaultValue().toMillis());
        take();
        report(finished);
        report(finishedToo(finished, theOtherJob(finished)));
        take();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    @Test
    void theJobOnThePageIsTheOneThatIsSent() throws IOException {
        assertThat(operator.rejected()).isEmpty();
        assertWritten(examples("job").get(0), jobs);
    }

    @Test
    void theRegistrationsOnThePageAreThoseThatAreSent() throws IOException {
        List<JsonNode> examples = examples("register");

        assertThat(examples)
                .extracting(example -> example.get("type").asText())
                .containsExactly("file", "log", "close");
        examples.forEach(example -> assertWritten(example, decisions));
    }

    @Test
    void theEventOnThePageIsTheOneThatIsSent() throws IOException {
        assertWritten(examples("event").get(0), decisions);
    }

    @Test
    void theFileRowOnThePageIsTheOneThatIsSentToTheMirror() throws IOException {
        JsonNode row = examples("mirror").get(0).get("rows").get(1);

        assertThat(row.get("table").asText()).isEqualTo("file_dat");
        assertWritten(row, rows);
    }

    @Test
    void theNoticeAndTheHeartbeatOnThePageAreAboutTheSameJob() throws IOException {
        JsonNode job = examples("job").get(0);

        for (JsonNode example : List.of(
                examples("notice").get(0),
                examples("heartbeat").get(1),
                examples("status").get(0))) {
            assertThat(example.get("job_uid")).isEqualTo(job.get("uid"));
            assertThat(example.get("attempt")).isEqualTo(job.get("attempt"));
        }
    }

    @Test
    void theUidOfTheMergeJobHasTheFormOfAJobsUid() throws IOException {
        JsonNode merge = examples("job").get(1);

        assertThat(merge.get("mode").asText()).isEqualTo("Merge");
        assertThat(merge.get("uid").asText())
                .matches(Pattern.quote(merge.get("task_uid").asText()) + "\\.0\\.[0-9a-f]{16}");
        assertThat(merge.get("file_out_url").asText())
                .contains("/" + merge.get("uid").asText() + "/");
    }

    /** Everything but what the clock decides is in one of the messages that were written. */
    private static void assertWritten(JsonNode example, List<JsonNode> written) {
        assertThat(written.stream().map(ProtocolExamplesTest::withoutClock)).contains(withoutClock(example));
    }

    private static JsonNode withoutClock(JsonNode message) {
        ObjectNode rest = message.deepCopy();
        rest.remove(DEPENDS_ON_THE_CLOCK);
        return rest;
    }

    /** The same report, about another job. */
    private static JsonNode finishedToo(JsonNode report, JsonNode job) {
        ObjectNode other = report.deepCopy();
        other.set("job_uid", job.get("uid"));
        other.set("attempt", job.get("attempt"));
        other.set("route", job.get("route"));
        for (String file : List.of("file_out_url", "file_log_url")) {
            other.set(file, job.get(file));
        }
        return other;
    }

    private JsonNode theOtherJob(JsonNode report) {
        return jobs.stream()
                .filter(job -> !job.get("uid").equals(report.get("job_uid")))
                .findFirst()
                .orElseThrow();
    }

    private void report(JsonNode report) throws Exception {
        operator.arrive(Kind.REPORT, OperatorOnTheBench.REPORTS, Json.write(report));
    }

    private void take() {
        jobs.addAll(operator.sent(Outlets.jobs("cpu"), JsonNode.class));
        for (Outbound decision : operator.decisions()) {
            decisions.add(Json.read(decision.body(), JsonNode.class));
        }
        operator.rows().forEach(row -> rows.add(Json.read(Json.write(row), JsonNode.class)));
    }

    private static List<JsonNode> examples(String schema) throws IOException {
        List<JsonNode> examples = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).equals(schema)) {
                examples.add(Json.mapper().readTree(block.group(2)));
            }
        }
        return examples;
    }
}
