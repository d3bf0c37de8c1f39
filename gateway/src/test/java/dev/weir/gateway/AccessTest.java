package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.options.GatewayOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may what. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {

    private static final List<Role> ROLES =
            List.of(Role.VIEWER, Role.WFMS, Role.PILOT, Role.WORKER, Role.FEEDER, Role.RANKER, Role.OPERATOR);

    private TestGateway gateway;
    private TestQueues queues;
    private String expired;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        // Wrong tokens of one address may come as fast as this test sends them.
        gateway = TestGateway.start(
                directory,
                options -> options.withLimits(20 * GatewayOptions.REQUESTS_PER_SECOND, GatewayOptions.MAX_CONNECTIONS));
        queues = new TestQueues(gateway.broker);
        expired = gateway.token("old", Role.OPERATOR, Instant.now().minusSeconds(1), Scope.ALL);
        await().until(() ->
                gateway.send("GET", "/pool", expired, null).text("detail").contains("expired"));
    }

    @AfterAll
    void stop() throws Exception {
        queues.close();
        gateway.close();
    }

    static List<Contract.Operation> operations() {
        return Contract.operations();
    }

    private Answer call(Contract.Operation operation, String token) throws Exception {
        // Without a field that a command needs: whoever may do it hears of that, and nothing is done.
        String body = operation.isChange() ? "{\"nonsense\": 1}" : null;
        return gateway.send(operation.method(), operation.samplePath(), token, body);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anOperationIsForTheRolesOfTheContractAndNoOthers(Contract.Operation operation) throws Exception {
        for (Role role : ROLES) {
            boolean may = operation.roles().isEmpty() || operation.roles().contains(role.word());
            Answer answer = call(operation, gateway.byRole.get(role));

            if (may) {
                assertThat(answer.status()).as(operation + " by " + role).isIn(200, 204, 400, 404, 422);
            } else {
                assertThat(answer.status()).as(operation + " by " + role).isEqualTo(403);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void withoutAValidTokenOnlyWhatIsForEverybodyIsAnswered(Contract.Operation operation) throws Exception {
        for (String token : new String[] {null, expired, Token.random(), "", "x".repeat(5000)}) {
            Answer answer = call(operation, token);

            assertThat(answer.status()).isEqualTo(operation.roles().isEmpty() ? 200 : 401);
            if (answer.status() == 401) {
                assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            }
        }
    }

    /** Of changes that say in their body what they are about. */
    private static final Map<String, String> BODIES = Map.of(
            "POST /task",
            """
            {"uid": "run7-1", "executable": "x", "device_type": "CPU", "mode": "Map", "dat_in_uid": "a", "dat_out_uid": "b",
             "dat_stor_url": "file:///data", "dat_out_url": "out"}""",
            "PUT /limit",
            "{\"group\": \"host:a\", \"lift\": true}",
            "PUT /queue-limit",
            "{\"group\": \"host:a\", \"lift\": true}",
            "POST /pop",
            "{\"pilot_id\": \"node7-1\", \"queues\": [\"cpu\"], \"wait_s\": 0}",
            "POST /report",
            "{\"pilot_id\": \"node7-1\", \"reports\": [{\"type\": \"heartbeat\", \"pilot_id\": \"node7-1\", \"pool\": \"cpu\", \"state\": \"idle\"}]}");

    @Test
    void noChangeOfTheContractIsForATokenWhoseScopeHasOtherThings() throws Exception {
        List<String> other = List.of("other");
        Scope others = new Scope(other, other, other, other, other, other, null);
        Map<Role, String> tokens = new java.util.EnumMap<>(Role.class);
        for (Role role : ROLES) {
            tokens.put(
                    role,
                    gateway.token("other-" + role.word(), role, Instant.now().plusSeconds(600), others));
        }
        await().until(() ->
                gateway.send("GET", "/whoami", tokens.get(Role.OPERATOR), null).status() == 200);
        for (Contract.Operation change : operations()) {
            for (Role role : ROLES) {
                if (change.isChange() && change.roles().contains(role.word())) {
                    Answer answer = gateway.send(
                            change.method(), change.samplePath(), tokens.get(role), BODIES.get(change.name()));
                    assertThat(answer.status()).as(change + " by " + role).isEqualTo(403);
                    assertThat(answer.text("detail")).as(change.name()).contains("scope");
                }
            }
        }
    }

    @Test
    void aScopeLimitsWhatATokenMayChange() throws Exception {
        Scope scope = new Scope(List.of("run7-*"), List.of("cpu"), List.of("node7-1"), List.of("host:*"));
        String token = gateway.token("narrow", Role.OPERATOR, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/pool", token, null).status() == 200);
        String task = """
                {"uid": "%s", "executable": "x", "device_type": "%s", "mode": "Map", "dat_in_uid": "a", "dat_out_uid": "b",
                 "dat_stor_url": "file:///data", "dat_out_url": "out"}""";

        assertInScope(token, "PUT", "/task/run7-1/paused", null, true);
        assertInScope(token, "PUT", "/task/run8-1/paused", null, false);
        assertInScope(token, "POST", "/task", task.formatted("run7-1", "CPU"), true);
        assertInScope(token, "POST", "/task", task.formatted("run8-1", "CPU"), false);
        assertInScope(token, "POST", "/task", task.formatted("run7-1", "GPU"), false);
        assertInScope(token, "PUT", "/pool/cpu/paused", null, true);
        assertInScope(token, "PUT", "/pool/gpu/paused", null, false);
        assertInScope(token, "PUT", "/pilot/node7-1/drained", null, true);
        assertInScope(token, "PUT", "/pilot/node7-10/drained", null, false);
        assertInScope(token, "PUT", "/limit", "{\"group\": \"host:a\", \"lift\": true}", true);
        assertInScope(token, "PUT", "/limit", "{\"group\": \"net:a\", \"lift\": true}", false);
    }

    private void assertInScope(String token, String method, String path, String body, boolean isIn) throws Exception {
        Answer answer = gateway.send(method, path, token, body);
        assertThat(answer.status()).as(path + " " + answer.body()).isEqualTo(isIn ? 202 : 403);
        if (!isIn) {
            assertThat(answer.text("detail")).contains("is not in the scope of token 'narrow'");
        }
    }

    @Test
    void aPilotsTokenReadsAndSteersItsPilotsOnly() throws Exception {
        String token = gateway.byRole.get(Role.PILOT);

        assertThat(gateway.send("GET", "/pilot/node7-1", token, null).status()).isEqualTo(404);
        assertThat(gateway.send("GET", "/pilot/node8-1", token, null).status()).isEqualTo(403);
        assertThat(gateway.send("PUT", "/pilot/node7-2/drained", token, null).status())
                .isEqualTo(202);
        assertThat(gateway.send("PUT", "/pilot/node8-1/drained", token, null).status())
                .isEqualTo(403);
    }

    @Test
    void aTokenThatIsTakenAwayIsInvalidSoonAlsoNextToALineThatIsNone(@TempDir Path directory) throws Exception {
        try (TestGateway own = TestGateway.start(directory)) {
            String token = own.byRole.get(Role.WFMS);
            assertThat(own.send("GET", "/pool", token, null).status()).isEqualTo(200);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own.tokens)))
                    .isEqualTo("rw-------");
            List<String> rest = Files.readAllLines(own.tokens).stream()
                    .filter(line -> !line.contains("\"wfms\""))
                    .toList();
            Files.write(own.tokens, rest);
            Files.writeString(own.tokens, "{\"name\": \"broken\"\n", StandardOpenOption.APPEND);

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> own.send("GET", "/pool", token, null).status() == 401);
            assertThat(own.get("/pool").status()).isEqualTo(200);
            assertThat(Files.readString(own.tokens)).doesNotContain(own.byRole.get(Role.VIEWER));
        }
    }

    @Test
    void aPilotInShellEndsWhenItsTokenIsRefused(@TempDir Path directory) throws Exception {
        Path tokenFile = Files.writeString(directory.resolve("token"), Token.random() + "\n");
        Path script = Path.of("..").resolve("docs").resolve("pilot.sh").toRealPath();
        Path printed = directory.resolve("printed");
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment()
                .putAll(Map.of(
                        "GATEWAY", gateway.url().toString(),
                        "TOKEN_FILE", tokenFile.toString(),
                        "PILOT", "node7-1",
                        "POOL", "cpu",
                        "PROGRAMS", directory.toString()));
        Process shell = builder.start();
        try {
            assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(shell.exitValue()).isEqualTo(1);
            assertThat(Files.readString(printed)).contains("report is answered with 401", "is unknown");
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void pagesAndHealthDoNotCountForThoseBehindOneAddress() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(gateway.send("GET", "/", null, null).status()).isEqualTo(200);
        }
        assertThat(gateway.send("GET", "/health", null, null).status()).isEqualTo(200);
    }

    @Test
    void aClientWithTooManyRequestsWaitsAndOthersDoNot(@TempDir Path directory) throws Exception {
        try (TestGateway slow =
                TestGateway.start(directory, options -> options.withLimits(40, GatewayOptions.MAX_CONNECTIONS))) {
            Answer last = null;
            for (int i = 0; i < 400 && (last == null || last.status() != 429); i++) {
                last = slow.get("/openapi.yaml");
            }
            assertThat(last.status()).isEqualTo(429);
            assertThat(last.headers().firstValue("Retry-After")).isPresent();
            assertThat(slow.send("GET", "/openapi.yaml", slow.byRole.get(Role.WFMS), null)
                            .status())
                    .isEqualTo(200);
        }
    }
}
