package dev.weir.job.endtoend;

import dev.weir.job.options.DsmOptions;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.testing.ScratchBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole graph with a DSM that reports many datasets as still open, as the reference DSM does. */
class SilentDsmTest {

    private static final int OPEN_DATASETS = 40;

    @TempDir
    Path directory;

    static Stream<ScratchBroker> brokers() {
        return ScratchBroker.createAll().stream();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void manyDatasetsThatCannotBeReadYetDelayNoOtherTask(ScratchBroker broker) throws Exception {
        FakeDsm dsm = new FakeDsm().with("a", 400).with("b", 50);
        for (int i = 0; i < OPEN_DATASETS; i++) {
            dsm.withBroken("open-" + i, FakeDsm.body(503, ""));
        }
        try (Deployment weir = new Deployment(broker, dsm, directory)
                        .with(DsmOptions.RETRY_FOR, Duration.ofMinutes(1))
                        .startSchedule();
                FakePilots pilots = new FakePilots(weir, "cpu", 4, Duration.ofMillis(20), job -> true)) {
            weir.sendTask("before", "a", "");
            Awaitility.await()
                    .atMost(Deployment.PATIENCE)
                    .until(() -> pilots.run().size() >= 40);
            for (int i = 0; i < OPEN_DATASETS; i++) {
                weir.sendTask("open-" + i, "open-" + i, "");
            }
            weir.sendTask("after", "b", "");

            // Less than the time for which one request is tried again.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(40))
                    .until(() -> closed(weir, "before") && closed(weir, "after"));
        }
    }

    private static boolean closed(Deployment weir, String task) throws Exception {
        for (TaskEvent event : weir.events()) {
            if (event.taskUid().equals(task) && event.state() == TaskState.CLOSED) {
                return true;
            }
        }
        return false;
    }
}
