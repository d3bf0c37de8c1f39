package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.openid.TestIssuer;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.OpenIdOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that takes tokens of a provider beside its own; it needs neither database nor broker for this. */
class OpenIdAccessTest {

    @Test
    void tokensOfTheProviderAndOfTheFileWorkBesideEachOther(@TempDir Path directory) throws Exception {
        Path tokens = directory.resolve("tokens");
        String ofFile = Token.random();
        TokenFile.put(
                tokens,
                new Token("anna", Role.VIEWER, Token.hash(ofFile), Instant.now().plusSeconds(600), Scope.ALL));
        try (TestIssuer provider = new TestIssuer();
                Gateway gateway = start(provider, tokens)) {
            String operator = provider.token("berta", Map.of("weir_role", "operator"));
            String pilot = provider.token(
                    "site7", Map.of("weir_role", "pilot", "weir_pilots", List.of("node7-*"), "weir_pools", "cpu"));

            assertThat(whoami(gateway, ofFile).text("name")).isEqualTo("anna");
            assertThat(whoami(gateway, operator).text("name")).isEqualTo("oidc/berta");
            assertThat(whoami(gateway, operator).text("role")).isEqualTo("operator");
            assertThat(pop(gateway, operator, "node7-1", "cpu").status()).isEqualTo(403);
            assertThat(pop(gateway, pilot, "node8-1", "cpu").text("field")).isEqualTo("pilot_id");
            assertThat(pop(gateway, pilot, "node7-1", "gpu").text("field")).isEqualTo("queues[0]");
            assertThat(pop(gateway, pilot, "node7-1", "cpu").status()).isEqualTo(503);

            Answer refused = whoami(gateway, operator + "x");
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(refused.text("detail")).contains("signature");
            assertThat(whoami(gateway, provider.token("carl", Map.of())).status())
                    .isEqualTo(403);
        }
    }

    @Test
    void aWorkerOfTheProviderHasTheQueuesAndKindsOfItsClaims(@TempDir Path directory) throws Exception {
        try (TestIssuer provider = new TestIssuer();
                Gateway gateway = start(provider, directory.resolve("tokens"))) {
            String worker = provider.token(
                    "scanner", Map.of("weir_role", "worker", "weir_queues", List.of("scans*"), "weir_kinds", "dns"));

            assertThat(whoami(gateway, worker).text("role")).isEqualTo("worker");
            assertThat(take(gateway, worker, "mail", "dns").text("field")).isEqualTo("queue");
            assertThat(take(gateway, worker, "scans-7", "tcp").text("field")).isEqualTo("kinds[0]");
            assertThat(take(gateway, worker, "scans-7", "dns").status()).isEqualTo(503);
            assertThat(pop(gateway, worker, "node7-1", "cpu").status()).isEqualTo(403);
        }
    }

    private static Answer take(Gateway gateway, String token, String queue, String kind) throws Exception {
        String body = "{\"kinds\": [\"" + kind + "\"]}";
        return TestGateway.send(gateway.url(), "POST", "/queue/" + queue + "/pop", token, body);
    }

    @Test
    void aProviderThatIsAwayIsToldOf(@TempDir Path directory) throws Exception {
        TestIssuer provider = new TestIssuer();
        provider.close();
        try (Gateway gateway = start(provider, directory.resolve("tokens"))) {
            Answer answer = whoami(gateway, provider.token("berta", Map.of("weir_role", "operator")));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text("detail")).contains("does not answer");
            assertThat(whoami(gateway, Token.random()).status()).isEqualTo(401);
        }
    }

    private static Gateway start(TestIssuer provider, Path tokens) {
        return Gateway.start(GatewayOptions.local(
                        0, "jdbc:postgresql://127.0.0.1:1/none", "nobody", "none", "amqp://127.0.0.1:1", tokens)
                .withOpenId(new OpenIdOptions(
                        provider.url(),
                        TestIssuer.AUDIENCE,
                        "sub",
                        "weir_role",
                        List.of("operator=operator", "pilot=pilot", "worker=worker"),
                        OpenIdOptions.ScopeClaims.DEFAULT,
                        null))
                .build());
    }

    private static Answer whoami(Gateway gateway, String token) throws Exception {
        return TestGateway.send(gateway.url(), "GET", "/whoami", token, null);
    }

    private static Answer pop(Gateway gateway, String token, String pilot, String pool) throws Exception {
        String body = "{\"pilot_id\": \"%s\", \"queues\": [\"%s\"], \"wait_s\": 0}".formatted(pilot, pool);
        return TestGateway.send(gateway.url(), "POST", "/pop", token, body);
    }
}
