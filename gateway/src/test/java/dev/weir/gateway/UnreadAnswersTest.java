package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that ask for much and never read. */
@Timeout(180)
class UnreadAnswersTest {

    private static final int CLIENTS = 200;
    private static final int JOBS = 1000;
    private static final int MESSAGE = 4000;
    private static final String LARGEST = "/task/t/job?limit=" + JOBS;

    /** Answers of 32 MiB are held, and some are being made. */
    private static final long MOST_BYTES = 128L << 20;

    @Test
    void twoHundredThatNeverReadTheLargestListHoldLittleMemoryAndNoOthersUp(@TempDir Path directory) throws Exception {
        try (TestGateway gateway = TestGateway.start(directory)) {
            new MirrorRows(gateway.database)
                    .task("t", "cpu", "active")
                    .counts(JOBS, 0, 0, JOBS, 0)
                    .write();
            gateway.database.run(String.format("""
                    INSERT INTO job_dat (uid, task_uid, position, status, attempt, retries, system_retries, rank, error_message, version, deleted)
                    SELECT 't.' || i, 't', i, 'Failed', 1, 0, 0, 1, repeat('x', %d), 1, false FROM generate_series(1, %d) AS i""", MESSAGE, JOBS));
            int size = gateway.get(LARGEST).body().length();
            assertThat(size).isGreaterThan(JOBS * MESSAGE);
            long before = liveBytes();
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    silent.add(ask(gateway));
                }
                // Until the largest list is refused, as the answers of others are held.
                await().atMost(Duration.ofSeconds(25))
                        .until(() -> gateway.get(LARGEST).body().contains("Too many large answers"));
                // Some of the two hundred may still read.
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> gateway.get("/task/t").status() == 200
                                && gateway.get("/task/t/job?limit=10").status() == 200);
                // On a busy machine more are being made for some moments; they are given up much later than this.
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(liveBytes() - before)
                                .as("%d answers of %d bytes would be %d", CLIENTS, size, (long) CLIENTS * size)
                                .isLessThan(MOST_BYTES));
                // The server gives them up, and their places are free, although they stay.
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> gateway.get(LARGEST).status() == 200);
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }

    private static Socket ask(TestGateway gateway) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(
                new InetSocketAddress(gateway.url().getHost(), gateway.url().getPort()));
        socket.getOutputStream()
                .write(("GET " + LARGEST + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                + gateway.byRole.get(Role.VIEWER) + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static long liveBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
