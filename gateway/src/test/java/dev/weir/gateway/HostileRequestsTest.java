package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are too large, malformed or too many are refused with a reason, and the gateway goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileRequestsTest {

    private static final int MOST_CONNECTIONS = 20;

    private TestGateway gateway;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(
                directory, options -> options.withLimits(GatewayOptions.REQUESTS_PER_SECOND, MOST_CONNECTIONS));
    }

    @AfterAll
    void stop() throws Exception {
        gateway.close();
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        String large = "{\"uid\": \"" + "a".repeat(Limits.MAX_MESSAGE_BYTES) + "\"}";

        assertThat(gateway.send("POST", "/task", gateway.byRole.get(Role.WFMS), large)
                        .status())
                .isEqualTo(413);
    }

    @Test
    void aBodyThatIsNestedTooDeeplyIsRefused() throws Exception {
        String deep = "[".repeat(200_000);

        assertThat(gateway.send("POST", "/task", gateway.byRole.get(Role.WFMS), deep)
                        .status())
                .isEqualTo(400);
        assertThat(gateway.put("/task/t/rank", deep).status()).isEqualTo(400);
    }

    @Test
    void aBodyThatDoesNotClaimToBeJsonIsRefused() throws Exception {
        Answer answer = gateway.send(
                "POST",
                "/task",
                gateway.byRole.get(Role.WFMS),
                "uid=t",
                "Content-Type",
                "application/x-www-form-urlencoded");

        assertThat(answer.status()).isEqualTo(415);
    }

    @Test
    void anotherMethodOrPathIsRefused() throws Exception {
        assertThat(gateway.send("DELETE", "/pool", gateway.byRole.get(Role.OPERATOR), null)
                        .status())
                .isIn(404, 405);
        assertThat(gateway.send("GET", "/nothing/here", gateway.byRole.get(Role.OPERATOR), null)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void headIsAnsweredWithoutATokenWhereWatchersLookAndElsewhereNot() throws Exception {
        String head = "HEAD %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n";
        String viewer = "Authorization: Bearer " + gateway.byRole.get(Role.VIEWER) + "\r\n";

        for (String path : List.of("/", "/health")) {
            assertThat(raw(head.formatted(path, ""))).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
        }
        for (String path : List.of("/task", "/docs")) {
            assertThat(raw(head.formatted(path, viewer)))
                    .startsWith("HTTP/1.1 405")
                    .contains("Allow: GET\r\n");
        }
        assertThat(raw(head.formatted("/nothing/here", viewer))).startsWith("HTTP/1.1 404");
    }

    @Test
    void whatIsNotHttpIsRefusedWithAProblemDocument() throws Exception {
        assertThat(raw("GET /pool HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(50_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431")
                .contains("application/problem+json");
        assertThat(raw("NONSENSE\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            write(socket, request);
            return answer(socket);
        }
    }

    private static void write(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String answer(Socket socket) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(answer);
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    private Socket connect() throws IOException {
        return connect(gateway);
    }

    private static Socket connect(TestGateway to) throws IOException {
        Socket socket = new Socket(to.url().getHost(), to.url().getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void idleConnectionsBeyondTheLimitMakeWayForOthers() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (Socket waits = connect()) {
            // Silent for longer than a connection may be then, but a request waits on it.
            String pop = "{\"pilot_id\": \"node7-1\", \"queues\": [\"cpu\"], \"wait_s\": 6}";
            write(
                    waits,
                    "POST /pop HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + gateway.byRole.get(Role.PILOT) + "\r\nContent-Length: "
                            + pop.length() + "\r\n\r\n" + pop);
            for (int i = 0; i < 3 * MOST_CONNECTIONS; i++) {
                idle.add(connect());
            }
            // Answered although all connections are taken, because silent ones are closed soon.
            assertThat(raw("GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
            idle.get(0).setSoTimeout(20_000);
            assertThat(isClosed(idle.get(0))).isTrue();
            assertThat(answer(waits)).startsWith("HTTP/1.1 200").contains("notices");
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void tenThousandSilentConnectionsKeepNobodyOutForLong(@TempDir Path directory) throws Exception {
        List<SocketChannel> silent = new ArrayList<>();
        try (TestGateway own = TestGateway.start(directory)) {
            assertThat(own.get("/task").status()).isEqualTo(200);
            for (int i = 0; i < 10_000; i++) {
                SocketChannel channel = SocketChannel.open();
                silent.add(channel);
                channel.configureBlocking(false);
                channel.connect(
                        new InetSocketAddress(own.url().getHost(), own.url().getPort()));
            }
            // One that is open already is served, and a new one when its turn has come.
            assertThat(own.get("/task").status()).isEqualTo(200);
            try (Socket late = connect(own)) {
                write(late, "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertThat(answer(late)).startsWith("HTTP/1.1 200");
            }
        } finally {
            for (SocketChannel channel : silent) {
                channel.close();
            }
        }
    }

    @Test
    void slowBodiesTakeConnectionsAndNoThreads(@TempDir Path directory) throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (TestGateway own = TestGateway.start(directory)) {
            String head = "POST /task HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                    + own.byRole.get(Role.WFMS) + "\r\n";
            for (int i = 0; i < 400; i++) {
                Socket socket = connect(own);
                slow.add(socket);
                // Every fourth does not say how long its body is.
                write(
                        socket,
                        head
                                + (i % 4 == 0
                                        ? "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
                                        : "Content-Length: 60\r\n\r\n{"));
            }
            assertThat(own.get("/task").status()).isEqualTo(200);
            assertThat(own.put("/task/t/rank?wait=0", "{\"rank\": 5}").status()).isEqualTo(202);
            // The last ones of unknown length are refused with a reason, before their end.
            assertThat(answerUntil(slow.get(396), "large bodies")).startsWith("HTTP/1.1 503");
            // A body that comes whole in the end is taken.
            write(slow.get(1), " ".repeat(58) + "}");
            assertThat(answerUntil(slow.get(1), "uid")).startsWith("HTTP/1.1 422");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void aDatabaseThatSaysNothingHoldsNoPilotUp() throws Exception {
        String pilot = gateway.byRole.get(Role.PILOT);
        String pop = "{\"pilot_id\": \"node7-2\", \"queues\": [\"cpu\"], \"wait_s\": 0}";
        String report =
                "{\"pilot_id\": \"node7-2\", \"reports\": [{\"type\": \"heartbeat\", \"pilot_id\": \"node7-2\", \"pool\": \"cpu\", \"state\": \"idle\"}]}";
        try (ServerSocket silent = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
                Gateway other = gateway.withDatabase(
                        "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/weir?loginTimeout=2")) {
            Awaitility.await()
                    .until(() -> TestGateway.send(other.url(), "POST", "/pop", pilot, pop)
                                    .status()
                            == 200);
            List<Socket> readers = new ArrayList<>();
            try {
                for (int i = 0; i < 250; i++) {
                    Socket socket =
                            new Socket(other.url().getHost(), other.url().getPort());
                    readers.add(socket);
                    write(
                            socket,
                            "GET /task HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                                    + gateway.byRole.get(Role.VIEWER) + "\r\n\r\n");
                }
                // On a slow machine the first ones have been told by then that the database is away, and left their
                // places.
                assertThat(readers.subList(200, 250))
                        .as("refused, as others have all the places")
                        .anySatisfy(reader -> assertThat(answer(reader))
                                .startsWith("HTTP/1.1 503")
                                .contains("more requests read"));
                long began = System.nanoTime();
                assertThat(TestGateway.send(other.url(), "POST", "/pop", pilot, pop)
                                .status())
                        .isEqualTo(200);
                assertThat(TestGateway.send(other.url(), "POST", "/report", pilot, report)
                                .status())
                        .isEqualTo(200);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
            } finally {
                for (Socket socket : readers) {
                    socket.close();
                }
            }
        }
    }

    private static String answerUntil(Socket socket, String text) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf(text) < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("%s, then the end", answer).isNotNegative();
            answer.append((char) next);
        }
        return answer.toString();
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            // Reset.
            return true;
        }
    }
}
