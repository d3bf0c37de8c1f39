package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.TlsFiles;
import dev.weir.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands before a gateway with a certificate of the site's own authority; it needs neither database nor broker for this. */
class TrustTest {

    @TempDir
    Path directory;

    @Test
    void aCommandTrustsTheAuthorityThatIsNamedAndSaysHowToNameOne() throws Exception {
        TlsFiles files = new TlsFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
        Path authorities = directory.resolve("ca.pem");
        TestAuthority authority = new TestAuthority();
        authority.writeServer(files.certificate(), files.key());
        authority.writeCertificate(authorities);
        Path tokens = directory.resolve("tokens");
        String token = Token.random();
        Instant later = Instant.now().plusSeconds(600);
        TokenFile.put(tokens, new Token("anna", Role.VIEWER, Token.hash(token), later, Scope.ALL));
        try (Gateway gateway = Gateway.start(GatewayOptions.local(
                        0, "jdbc:postgresql://127.0.0.1:1/none", "nobody", "none", "amqp://127.0.0.1:1", tokens)
                .withTls(files)
                .build())) {
            Access access = new Access(gateway.url().resolve("/"), token);
            Path kept = directory.resolve("access.json");
            access.trusting(authorities).keep(kept);

            assertThat(new GatewayClient(Access.find(Map.of(), kept))
                            .get("whoami", Map.of())
                            .path("name")
                            .asText())
                    .isEqualTo("anna");
            assertThatThrownBy(() -> new GatewayClient(access).get("whoami", Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("--ca-file");
            assertThatThrownBy(() -> new GatewayClient(access.trusting(directory.resolve("none.pem"))))
                    .hasMessageContaining("none.pem");
        }
    }
}
