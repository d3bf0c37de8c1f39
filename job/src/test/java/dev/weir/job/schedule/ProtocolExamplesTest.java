package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.job.intake.Outcomes;
import dev.weir.job.intake.Rejections;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
 * then writes is what the page shows, ids and paths included. The examples that Weir only reads are the input here.
 */
class ProtocolExamplesTest {

    private static final Path PAGE = Path.of("..", "docs", "PROTOCOL.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```json ([a-z]+)\\n(.*?)^```$");
    private static final Set<String> DEPENDS_ON_THE_CLOCK =
            Set.of("at", "sent_at", "received_at", "registered_at", "last_seen_at", "version");

    private final List<JsonNode> jobs = new ArrayList<>();
    private final List<JsonNode> notices = new ArrayList<>();
    private final List<JsonNode> beats = new ArrayList<>();
    private final List<JsonNode> pages = new ArrayList<>();
    private final List<JsonNode> outcomes = new ArrayList<>();
    private final List<JsonNode> decisions = new ArrayList<>();
    private final List<JsonNode> rows = new ArrayList<>();
    private OperatorOnTheBench operator;

    @BeforeEach
    void playTheFirstAttempt() throws Exception {
        operator = new OperatorOnTheBench(new Configuration());
        report(examples("heartbeat").get(0));
        begin(examples("task").get(0), examples("dataset").get(0));
        report(examples("result").get(1));
        operator.pass(2 * SchedulingOptions.COOL_OFF.defaultValue().toMillis());
        take();
    }

    private void playTheSecondAttempt() throws Exception {
        JsonNode finished = examples("result").get(0);
        report(finished);
        report(examples("heartbeat").get(0));
        report(finishedToo(finished, theOtherJob(finished)));
    }

    @AfterEach
    void close() throws Exception {
        assertThat(operator.rejected()).isEmpty();
        operator.close();
    }

    @Test
    void theJobOnThePageIsTheOneThatIsSent() throws IOException {
        assertWritten(examples("job").get(0), jobs);
    }

    @Test
    void theMergeJobOnThePageIsTheOneThatIsSent() throws Exception {
        begin(Json.mapper().readTree("""
                {"uid": "task-18", "executable": "hadd", "args": "{file_out} {file_in}", "device_type": "CPU", "mode": "Merge",
                 "dat_in_uid": "reco", "dat_out_uid": "merged", "dat_stor_url": "file:///data", "dat_out_url": "merged",
                 "timeout_s": 3600}"""), Json.mapper().readTree("""
                {"total": 2, "data": [{"name": "a.out", "storage_url": "file:///data", "path": "reco", "size": 52177},
                                      {"name": "b.out", "storage_url": "file:///data", "path": "reco", "size": 48020}]}"""));

        assertWritten(examples("job").get(1), jobs);
    }

    @Test
    void theRegistrationsOnThePageAreThoseThatAreSent() throws Exception {
        playTheSecondAttempt();
        List<JsonNode> examples = examples("register");

        assertThat(examples)
                .extracting(example -> example.get("type").asText())
                .containsExactly("file", "log", "close");
        examples.forEach(example -> assertWritten(example, decisions));
    }

    @Test
    void theEventOnThePageIsTheOneThatIsSent() throws Exception {
        playTheSecondAttempt();

        assertWritten(examples("event").get(0), decisions);
    }

    @Test
    void theRowsOnThePageAreThoseThatAreSentToTheMirror() throws Exception {
        playTheSecondAttempt();
        JsonNode examples = examples("mirror").get(0).get("rows");

        assertThat(examples)
                .extracting(example -> example.get("table").asText())
                .containsExactly("pilot_dat", "file_dat");
        examples.forEach(example -> assertWritten(example, rows));
        for (JsonNode example : examples) {
            assertThat(versionSinceItsTime(example))
                    .as(example.toString())
                    .isEqualTo(versionSinceItsTime(written(example, rows)));
        }
    }

    @Test
    void thePageRequestAndTheBeatOnThePageAreThoseThatWeirSendsItself() throws IOException {
        assertWritten(examples("page").get(0), pages);
        assertWritten(examples("beat").get(0), beats);
    }

    @Test
    void theNoticesOnThePageAreThoseThatAreSent() throws Exception {
        report(examples("status").get(0));
        report(examples("heartbeat").get(1));
        command("\"type\": \"cancel\", \"task_uid\": \"task-17\"");
        command("\"type\": \"pilot_exclude\", \"pilot_id\": \"node7-1\"");
        command("\"type\": \"pilot_include\", \"pilot_id\": \"node7-1\"");
        List<JsonNode> examples = examples("notice");

        assertThat(examples)
                .extracting(example -> example.get("type").asText())
                .containsExactly("cancel", "drain", "resume");
        examples.forEach(example -> assertWritten(example, notices));
    }

    @Test
    void theOutcomesOnThePageAreThoseThatAreSent() throws Exception {
        operator.arrive(
                Kind.COMMAND,
                "weir.commands",
                "{\"id\": \"c-4714\", \"at\": \"2026-11-21T05:13:00Z\", \"type\": \"pool_pause\", \"pool\": \"tape\"}"
                        .getBytes(StandardCharsets.UTF_8));
        take();

        assertThat(operator.rejected()).hasSize(1);
        examples("outcome").forEach(example -> assertWritten(example, outcomes));
    }

    @Test
    void theRejectionOnThePageIsTheOneThatIsSent() throws Exception {
        JsonNode example = examples("rejected").get(0);
        operator.arrive(
                Kind.TASK,
                example.get("queue").asText(),
                example.get("body_base64").binaryValue());

        assertWritten(example, operator.sent(Rejections.TAG, JsonNode.class));
    }

    /** Everything but what the clock decides is in one of the messages that were written. */
    private static void assertWritten(JsonNode example, List<JsonNode> written) {
        assertThat(written.stream().map(ProtocolExamplesTest::withoutClock)).contains(withoutClock(example));
    }

    private static JsonNode written(JsonNode example, List<JsonNode> written) {
        return written.stream()
                .filter(message -> withoutClock(message).equals(withoutClock(example)))
                .findFirst()
                .orElseThrow();
    }

    /** Versions of rows grow with time: this much a row's version lies above the time that the row shows. */
    private static long versionSinceItsTime(JsonNode row) {
        JsonNode time = row.has("registered_at") ? row.get("registered_at") : row.get("last_seen_at");
        return row.get("version").asLong() - Instant.parse(time.asText()).toEpochMilli() * 1000;
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

    private void begin(JsonNode task, JsonNode dataset) throws Exception {
        operator.arrive(Kind.TASK, "weir.tasks", Json.write(task));
        for (PageRequest request : operator.answerPages(Json.write(dataset))) {
            pages.add(Json.read(Json.write(request), JsonNode.class));
        }
        take();
    }

    /** Each report comes at a time of its own. */
    private void report(JsonNode report) throws Exception {
        operator.pass(1);
        operator.arrive(Kind.REPORT, OperatorOnTheBench.REPORTS, Json.write(report));
        take();
    }

    private void command(String what) throws Exception {
        operator.pass(1);
        String command = "{\"id\": \"c-%d\", \"at\": \"2026-11-21T05:10:00Z\", %s}".formatted(operator.now(), what);
        operator.arrive(Kind.COMMAND, "weir.commands", command.getBytes(StandardCharsets.UTF_8));
        take();
    }

    private void take() {
        jobs.addAll(operator.sent(Outlets.JOBS, JsonNode.class));
        notices.addAll(operator.sent(Outlets.NOTICES, JsonNode.class));
        beats.addAll(operator.sent(Outlets.BEATS, JsonNode.class));
        outcomes.addAll(operator.sent(Outcomes.TAG, JsonNode.class));
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
