package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.job.intake.Outcomes;
import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.Command;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.testing.LongestMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** A checkpoint holds what the longest messages brought, and a restore loses none of it. */
class LongestValuesTest {

    private static final int FILES = 3;
    private static final String PILOT = "p".repeat(128);
    private static final int HASH = 16;

    private final List<Row> rows = new ArrayList<>();
    private final List<JsonNode> decisions = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private OperatorOnTheBench operator;
    private int commands;

    @Test
    void afterARestoreTheTaskOfTheLongestMessagesGoesOnToItsEndAndNothingIsShorter() throws Exception {
        operator = new OperatorOnTheBench(new Configuration().set(SchedulingOptions.WINDOW, FILES));
        ObjectNode task = LongestMessage.task();
        String uid = task.get("uid").asText();
        heartbeat("\"state\":\"idle\"");
        command(Command.Type.RANK, "\"task_uid\":\"%s\",\"rank\":1".formatted(uid));
        restore();
        operator.arrive(Kind.TASK, "weir.tasks", Json.write(task));
        List<JsonNode> files = LongestMessage.files(FILES);
        operator.answerPages(Json.write(Json.mapper()
                .createObjectNode()
                .put("total", FILES)
                .set("data", Json.mapper().valueToTree(files))));
        take();
        restore();
        commands(uid);
        others(task, files);
        restore();
        assertThat(jobs).hasSize(FILES);
        starts(jobs.get(0));
        starts(jobs.get(1));
        report("heartbeat", pilot(jobs.get(0)), aboutJob(jobs.get(0)));
        ends(jobs.get(1), "failed");
        take();
        restore();

        ends(jobs.get(0), "finished");
        operator.pass(2 * SchedulingOptions.COOL_OFF.defaultValue().toMillis());
        take();
        assertThat(jobs).hasSize(FILES + 1);
        for (Job job : List.copyOf(jobs.subList(2, FILES + 1))) {
            starts(job);
            restore();
            ends(job, "finished");
        }
        take();

        assertThat(outcomes).hasSize(commands + 3).noneMatch(outcome -> outcome.outcome() == Outcome.Kind.REFUSED);
        assertThat(operator.rejected()).isEmpty();
        assertThat(decisions.get(decisions.size() - 1).path("state").asText()).isEqualTo("closed");
        assertThat(decisions
                        .get(decisions.size() - 1)
                        .path("counts")
                        .path("finished")
                        .asInt())
                .isEqualTo(FILES);
        assertThat(jobs.stream().map(Job::fileInUrl).distinct())
                .containsExactlyInAnyOrderElementsOf(files.stream()
                        .map(file ->
                                Json.mapper().convertValue(file, FileInfo.class).url())
                        .toList());
        assertTheRowHasAllOf(task);
        assertEveryOutputIsRegisteredAndOnTheCheckList();
        operator.close();
    }

    /** Tasks whose files are with them wait while the first has all jobs of the window, and are ended. */
    private void others(ObjectNode task, List<JsonNode> files) throws Exception {
        for (Command.Type end : List.of(Command.Type.CANCEL, Command.Type.CLOSE)) {
            ObjectNode other = task.deepCopy();
            for (String field : List.of("uid", "dat_out_uid")) {
                other.put(
                        field,
                        end.name()
                                + task.get(field).asText().substring(end.name().length()));
            }
            operator.arrive(
                    Kind.TASK,
                    "weir.tasks",
                    Json.write(other.set("targets", Json.mapper().valueToTree(files))));
            restore();
            String about = "\"task_uid\":\"" + other.get("uid").asText() + "\"";
            command(Command.Type.PRIORITY, about + ",\"position\":0,\"priority\":1");
            command(Command.Type.RETRY_FAILED, about);
            command(end, about);
        }
    }

    /** One of each kind that leaves the task its files. */
    private void commands(String uid) throws Exception {
        String task = "\"task_uid\":\"" + uid + "\"";
        for (Command.Type type : List.of(Command.Type.PAUSE, Command.Type.RESUME)) {
            command(type, task);
        }
        command(Command.Type.LIMIT, "\"group\":\"g\",\"max_in_flight\":1,\"max_starts\":1,\"window_s\":1");
        for (Command.Type type : List.of(Command.Type.POOL_PAUSE, Command.Type.POOL_DRAIN, Command.Type.POOL_RESUME)) {
            command(type, "\"pool\":\"cpu\"");
        }
        for (Command.Type type :
                List.of(Command.Type.PILOT_DRAIN, Command.Type.PILOT_EXCLUDE, Command.Type.PILOT_INCLUDE)) {
            command(type, "\"pilot_id\":\"" + PILOT + "\"");
        }
    }

    private void command(Command.Type type, String rest) throws Exception {
        operator.pass(1);
        ObjectNode command = LongestMessage.command(type, commands++, 100_000_000_000L + operator.now(), rest);
        operator.arrive(Kind.COMMAND, "weir.commands", Json.write(command));
        take();
    }

    private void heartbeat(String rest) throws Exception {
        report("heartbeat", PILOT, rest + ",\"device\":\"CPU\",\"pools\":[\"cpu\",\"gpu\"]");
    }

    private void starts(Job job) throws Exception {
        report("status", pilot(job), aboutJob(job) + ",\"status\":\"starting\"");
    }

    private void ends(Job job, String status) throws Exception {
        report("result", pilot(job), aboutJob(job) + ",\"status\":\"" + status + "\"");
    }

    private static String pilot(Job job) {
        return PILOT.substring(HASH) + job.uid().substring(job.uid().length() - HASH);
    }

    private static String aboutJob(Job job) {
        return "\"job_uid\":\"%s\",\"attempt\":%d,\"route\":\"%s\"".formatted(job.uid(), job.attempt(), job.route());
    }

    private void report(String type, String pilot, String rest) throws Exception {
        operator.pass(1);
        ObjectNode report = LongestMessage.report(type, pilot, rest);
        operator.arrive(Kind.REPORT, OperatorOnTheBench.REPORTS, Json.write(report));
    }

    private void restore() throws Exception {
        take();
        OperatorOnTheBench before = operator;
        operator = before.restoredFrom(before.checkpoint());
        assertThat(before.rejected()).isEmpty();
        before.close();
        operator.catchUp();
    }

    private void take() {
        jobs.addAll(operator.jobs());
        outcomes.addAll(operator.sent(Outcomes.TAG, Outcome.class));
        rows.addAll(operator.rows());
        for (Outbound decision : operator.decisions()) {
            decisions.add(Json.read(decision.body(), JsonNode.class));
        }
    }

    private void assertTheRowHasAllOf(ObjectNode task) {
        TaskRow last = rows.stream()
                .filter(TaskRow.class::isInstance)
                .map(TaskRow.class::cast)
                .filter(row -> row.uid().equals(task.get("uid").asText()))
                .reduce((earlier, later) -> later)
                .orElseThrow();
        JsonNode row = Json.mapper().valueToTree(last);
        for (String field : List.of(
                "uid",
                "executable",
                "args",
                "retry",
                "dat_in_uid",
                "dat_out_uid",
                "dat_stor_url",
                "dat_out_url",
                "owner")) {
            assertThat(row.get(field).asText())
                    .as(field)
                    .isEqualTo(task.get(field).asText());
        }
        assertThat(last.baseRank()).isEqualTo(1000);
    }

    private void assertEveryOutputIsRegisteredAndOnTheCheckList() {
        Set<String> outputs = decisions.stream()
                .filter(decision -> decision.path("type").asText().equals("file"))
                .map(decision -> decision.get("path").asText())
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .collect(Collectors.toSet());
        JsonNode close = decisions.get(decisions.size() - 2);
        List<String> names = new ArrayList<>();
        close.get("check_list").forEach(name -> names.add(name.asText()));
        assertThat(outputs).hasSize(FILES);
        assertThat(names).containsAll(outputs).hasSize(2 * FILES);
    }
}
