package dev.weir.job.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.options.AmqpOptions;
import dev.weir.protocol.Device;
import dev.weir.protocol.Json;
import dev.weir.protocol.MirrorBatch;
import dev.weir.protocol.PilotRow;
import dev.weir.testing.ScratchBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mirror whose database has no tables, because it was away at the start, or because it is a new one. */
class LostTablesTest {

    @TempDir
    Path directory;

    @Test
    void theMirrorJobMakesTheTablesItselfAndAnewWhenTheyAreLostWhileItRuns() throws Exception {
        try (Deployment weir = new Deployment(ScratchBroker.createEmbedded(), new FakeDsm(), directory).startMirror()) {
            send(weir, "first");
            awaitPilot(weir, "first");

            weir.database().run("DROP SCHEMA public CASCADE; CREATE SCHEMA public");

            send(weir, "later");
            awaitPilot(weir, "later");
        }
    }

    private static void send(Deployment weir, String pilot) throws Exception {
        PilotRow row = new PilotRow(
                pilot,
                "cpu",
                Device.CPU,
                "node",
                1,
                1L,
                null,
                PilotRow.State.IDLE,
                null,
                0,
                0,
                null,
                null,
                null,
                1,
                false);
        weir.send(AmqpOptions.MIRROR, new String(Json.write(new MirrorBatch(List.of(row))), StandardCharsets.UTF_8));
    }

    private static void awaitPilot(Deployment weir, String id) {
        Awaitility.await()
                .atMost(Deployment.PATIENCE)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .untilAsserted(() -> assertThat(weir.database().rows("SELECT pilot_id FROM pilot_all"))
                        .contains(List.of(id)));
    }
}
