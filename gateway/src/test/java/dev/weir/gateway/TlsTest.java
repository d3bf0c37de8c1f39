package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.TlsFiles;
import dev.weir.pilot.gateway.GatewaySettings;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.protocol.Authorities;
import dev.weir.testing.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with a certificate. It needs neither database nor broker to answer who somebody is. */
class TlsTest {

    @TempDir
    Path directory;

    private final TestAuthority authority = new TestAuthority();
    private TlsFiles files;
    private Path authorities;
    private String token;

    @BeforeEach
    void write() throws IOException {
        files = new TlsFiles(directory.resolve("chain.pem"), directory.resolve("key.pem"));
        authorities = directory.resolve("ca.pem");
        authority.writeServer(files.certificate(), files.key());
        authority.writeCertificate(authorities);
        token = Token.random();
        TokenFile.put(
                directory.resolve("tokens"),
                new Token("anna", Role.VIEWER, Token.hash(token), Instant.now().plusSeconds(600), Scope.ALL));
    }

    private Gateway start() {
        return Gateway.start(GatewayOptions.local(
                        0,
                        "jdbc:postgresql://127.0.0.1:1/none",
                        "nobody",
                        "none",
                        "amqp://127.0.0.1:1",
                        directory.resolve("tokens"))
                .withTls(files)
                .build());
    }

    private HttpClient client() throws IOException {
        return HttpClient.newBuilder().sslContext(Authorities.only(authorities)).build();
    }

    private HttpResponse<String> whoami(HttpClient client, URI url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/whoami"))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static X509Certificate shown(HttpResponse<?> answer) throws Exception {
        return (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
    }

    @Test
    void requestsWorkOverHttpsForThoseWhoTrustTheAuthorityAndANewCertificateCountsSoonIfItFits() throws Exception {
        try (Gateway gateway = start()) {
            assertThat(gateway.url()).hasScheme("https");
            assertThat(whoami(client(), gateway.url()).body()).contains("anna");

            assertThatThrownBy(() -> whoami(HttpClient.newHttpClient(), gateway.url()))
                    .isInstanceOf(SSLHandshakeException.class);
            URI plain = URI.create("http://127.0.0.1:" + gateway.url().getPort());
            assertThatThrownBy(() -> whoami(HttpClient.newHttpClient(), plain)).isInstanceOf(IOException.class);

            X509Certificate first = shown(whoami(client(), gateway.url()));
            Files.writeString(files.key(), "half of a k");
            authority.writeServer(files.certificate(), directory.resolve("other.pem"));
            assertThat(shown(whoami(client(), gateway.url()))).isEqualTo(first);

            authority.writeServer(files.certificate(), files.key());
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !shown(whoami(client(), gateway.url())).equals(first));
        }
    }

    @Test
    void filesThatCannotBeUsedAreNamedAtTheStart() throws IOException {
        String key = Files.readString(files.key());
        Files.delete(files.key());
        assertThatThrownBy(this::start).hasMessageContaining("key.pem").hasMessageContaining("no such file");
        Files.writeString(files.key(), "nothing");
        assertThatThrownBy(this::start).hasMessageContaining("key.pem has no private key");
        authority.writeServer(directory.resolve("other-chain.pem"), files.key());
        assertThatThrownBy(this::start).hasMessageContaining("is not that of the first certificate in");
        Files.writeString(files.key(), key);
        Files.writeString(files.certificate(), "nothing");
        assertThatThrownBy(this::start).hasMessageContaining("chain.pem");
        assertThatThrownBy(() -> TlsFiles.of("chain.pem", null)).hasMessageContaining("weir.gateway.tls-key-file");
        assertThat(TlsFiles.of(null, null)).isNull();
    }

    @Test
    void aPilotReachesAGatewayWhoseAuthorityItTrustsAndNoOther() throws Exception {
        try (Gateway gateway = start();
                Uplink trusting = uplink(gateway, Authorities.only(authorities));
                Uplink wary = uplink(gateway, null)) {
            // A viewer's token: the gateway has read the request.
            trusting.start(new Outbox(directory.resolve("outbox")));
            assertThat(trusting.take(() -> trusting.gaveUp() != null)).isNull();
            assertThat(trusting.gaveUp()).contains("refuses the token").contains("403");

            wary.start(new Outbox(directory.resolve("outbox2")));
            assertThat(wary.take(() -> wary.gaveUp() != null)).isNull();
            assertThat(wary.gaveUp()).contains("no connection").contains("certification path");
        }
    }

    private Uplink uplink(Gateway gateway, SSLContext trusted) {
        return GatewaySettings.of(gateway.url(), token, null, List.of("cpu"), Duration.ZERO, trusted)
                .uplink("node7-1", notice -> {});
    }
}
