package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients hear what has changed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class EventsTest {

    private TestGateway gateway;
    private MirrorRows rows;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        rows = new MirrorRows(gateway.database);
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    /** The streams of another test may still be counted: then it opens one a moment later. */
    private EventStream open() {
        return await().until(this::ask, stream -> stream.status == 200);
    }

    private EventStream ask() throws Exception {
        return EventStream.open(gateway.url(), gateway.byRole.get(Role.VIEWER));
    }

    private static JsonNode json(String data) {
        return Json.read(data.getBytes(StandardCharsets.UTF_8), JsonNode.class);
    }

    @Test
    void everyClientHearsOfAChangedTaskAndPilotOnce() throws Exception {
        try (EventStream one = open();
                EventStream other = open()) {
            rows.task("heard", "cpu", "active").counts(10, 5, 5, 0, 0).write();
            for (EventStream stream : List.of(one, other)) {
                JsonNode change = json(stream.await("heard"));
                assertThat(change.get("pools")).anyMatch(pool -> pool.asText().equals("cpu"));
                assertThat(change.get("more_tasks").asBoolean()).isFalse();
            }
            rows.pilot("node9-1", "tape", "idle");
            JsonNode change = json(one.await("tape"));
            assertThat(change.get("pilots").asBoolean()).isTrue();
            assertThat(change.get("tasks")).isEmpty();
        }
    }

    @Test
    void ofManyChangedTasksOnlyThatIsSaid() throws Exception {
        try (EventStream stream = open()) {
            gateway.database.run("""
                    INSERT INTO task_dat (uid, state, rank, base_rank, weight, pool, retry, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
                        jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, canceled, accepted_at, version, deleted)
                    SELECT 'many' || i, 'active', 1, 1, 1, 'many', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, now(),
                        (extract(epoch FROM now()) * 1000000)::bigint + i, false FROM generate_series(1, 300) i""");
            JsonNode change = json(stream.await("\"many\""));

            assertThat(change.get("more_tasks").asBoolean()).isTrue();
            assertThat(change.get("tasks")).isEmpty();
        }
    }

    @Test
    void aStreamEndsWhenItsTimeIsOver() throws Exception {
        assertThat(gateway.get("/events?seconds=0").status()).isEqualTo(200);
        assertThat(gateway.get("/events?seconds=1").body()).startsWith(": keep-alive");
        assertThat(gateway.get("/events?seconds=3601").text("field")).isEqualTo("seconds");
    }

    @Test
    void aFurtherClientThanAHundredIsRefusedUntilOneGoes() throws Exception {
        List<EventStream> streams = new ArrayList<>();
        try {
            EventStream refused = ask();
            while (refused.status == 200 && streams.size() < 150) {
                streams.add(refused);
                refused = ask();
            }
            refused.close();
            assertThat(refused.status).isEqualTo(503);
            assertThat(streams).hasSizeLessThanOrEqualTo(100).hasSizeGreaterThan(80);
            assertThat(gateway.get("/pool").status()).isEqualTo(200);
        } finally {
            for (EventStream stream : streams) {
                stream.close();
            }
        }
        rows.task("after", "cpu", "active").counts(10, 5, 5, 0, 0).write();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            rows.task("after", "cpu", "active").counts(10, 5, 5, 0, 0).write();
            try (EventStream again = ask()) {
                return again.status == 200;
            }
        });
    }

    @Test
    void aStreamEndsWhenItsTokenIsTakenAwayAndWhenTheGatewayStops(@TempDir Path directory) throws Exception {
        TestGateway own = TestGateway.start(directory);
        MirrorRows ownRows = new MirrorRows(own.database);
        try (EventStream ofViewer = EventStream.open(own.url(), own.byRole.get(Role.VIEWER));
                EventStream ofOperator = EventStream.open(own.url(), own.byRole.get(Role.OPERATOR))) {
            List<String> rest = Files.readAllLines(own.tokens).stream()
                    .filter(line -> !line.contains("\"viewer\""))
                    .toList();
            Files.write(own.tokens, rest);
            await().until(() ->
                    own.send("GET", "/pool", own.byRole.get(Role.VIEWER), null).status() == 401);
            ownRows.task("t", "cpu", "active").counts(10, 5, 5, 0, 0).write();
            ofViewer.awaitEnd();

            own.close();
            ofOperator.awaitEnd();
        }
    }

    @Test
    void aDatabaseThatIsAwayIsToldAndSoIsWhatCameMeanwhile(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            MirrorRows ownRows = new MirrorRows(own.database);
            try (EventStream stream = EventStream.open(own.url(), own.byRole.get(Role.VIEWER))) {
                own.database.run("ALTER TABLE pilot_dat RENAME TO away");
                assertThat(json(stream.await("trouble")).get("trouble").asText())
                        .contains("database");
                ownRows.task("meanwhile", "cpu", "active").counts(1, 1, 0, 0, 0).write();
                own.database.run("ALTER TABLE away RENAME TO pilot_dat");
                assertThat(stream.await("meanwhile")).contains("cpu");
            }
        }
    }

    @Test
    void aRowOfALaneWhoseClockIsAheadHidesNoOthers(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            MirrorRows ownRows = new MirrorRows(own.database);
            try (EventStream stream = EventStream.open(own.url(), own.byRole.get(Role.VIEWER))) {
                ownRows.at(Instant.now().plus(Duration.ofDays(1)));
                ownRows.task("ahead", "cpu", "active").counts(1, 1, 0, 0, 0).write();
                stream.await("ahead");

                ownRows.at(Instant.now());
                ownRows.task("present", "cpu", "active").counts(1, 1, 0, 0, 0).write();
                assertThat(stream.await("present")).doesNotContain("ahead");
            }
        }
    }

    /** The names of the fields in {@code openapi.yaml}'s text about events. */
    @Test
    void theContractShowsAnEventAsItIs() throws Exception {
        try (EventStream stream = open()) {
            rows.task("run7-1", "cpu", "active").counts(10, 5, 5, 0, 0).write();
            JsonNode change = json(stream.await("run7-1"));
            String described =
                    Contract.document().at("/paths/~1events/get/description").asText();
            for (Map.Entry<String, JsonNode> field : change.properties()) {
                assertThat(described).contains("\"" + field.getKey() + "\"");
            }
        }
    }
}
