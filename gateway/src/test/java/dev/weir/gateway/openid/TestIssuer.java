package dev.weir.gateway.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** An OpenID provider for one test: a discovery document, keys, and tokens. */
public final class TestIssuer implements AutoCloseable {

    public static final String AUDIENCE = "weir";

    private final HttpServer server;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile ECKey key;
    private volatile boolean away;

    public TestIssuer() throws IOException, JOSEException {
        this(null);
    }

    /** @param tls what it speaks HTTPS with; null: it speaks HTTP */
    TestIssuer(SSLContext tls) throws IOException, JOSEException {
        rotate();
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(here, 0);
        } else {
            HttpsServer secure = HttpsServer.create(here, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        server.createContext(
                "/.well-known/openid-configuration",
                exchange -> answer(exchange, "{\"issuer\": \"%1$s\", \"jwks_uri\": \"%1$s/keys\"}".formatted(url())));
        server.createContext("/keys", exchange -> answer(exchange, new JWKSet(key.toPublicJWK()).toString()));
        server.start();
    }

    private void answer(HttpExchange exchange, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        if (away) {
            refused.incrementAndGet();
        }
        exchange.sendResponseHeaders(away ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public URI url() {
        return URI.create((server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort());
    }

    /** From now on it has another key. */
    void rotate() throws JOSEException {
        key = new ECKeyGenerator(Curve.P_256)
                .keyID(UUID.randomUUID().toString())
                .generate();
    }

    void away(boolean now) {
        away = now;
    }

    /** Requests that were not answered. */
    int refused() {
        return refused.get();
    }

    String keyId() {
        return key.getKeyID();
    }

    PublicKey publicKey() throws JOSEException {
        return key.toPublicKey();
    }

    JWTClaimsSet claims(String subject, Map<String, Object> further) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(url().toString())
                .audience(AUDIENCE)
                .subject(subject)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
        further.forEach(claims::claim);
        return claims.build();
    }

    public String token(String subject, Map<String, Object> further) {
        return sign(claims(subject, further));
    }

    String sign(JWTClaimsSet claims) {
        return signAs(keyId(), claims);
    }

    /** With the own key, under the name of another. */
    String signAs(String id, JWTClaimsSet claims) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(id).build(), claims);
            jwt.sign(new ECDSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("a token could not be signed", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
