package dev.weir.gateway.openid;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.weir.protocol.Authorities;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches an issuer's keys: its discovery document, and then what that names. */
final class PublishedKeys implements JWKSetSource<SecurityContext> {

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 3_000;
    private static final int MOST_BYTES = 512 << 10;

    /** For both documents. */
    static final Duration LONGEST = Duration.ofMillis(2 * (CONNECT_MILLIS + READ_MILLIS));

    private final URI issuer;
    private final DefaultResourceRetriever retriever;
    private volatile boolean away = true;

    /** @param authorities the only ones to trust; null: those that Java trusts. Throws when they cannot be read */
    PublishedKeys(URI issuer, Path authorities) {
        this.issuer = issuer;
        retriever = new DefaultResourceRetriever(
                CONNECT_MILLIS, READ_MILLIS, MOST_BYTES, true, authorities == null ? null : trusting(authorities));
    }

    private static SSLSocketFactory trusting(Path authorities) {
        try {
            return Authorities.only(authorities).getSocketFactory();
        } catch (IOException e) {
            throw new IllegalArgumentException("weir.gateway.oidc-ca-file: " + e.getMessage(), e);
        }
    }

    /** Whether the last try to fetch them failed, or there was none. */
    boolean isAway() {
        return away;
    }

    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator evaluator, long now, SecurityContext context)
            throws KeySourceException {
        try {
            String base = issuer.toString();
            String discovery = (base.endsWith("/") ? base : base + "/") + ".well-known/openid-configuration";
            Map<String, Object> document = JSONObjectUtils.parse(get(URI.create(discovery)));
            if (!base.equals(document.get("issuer"))) {
                throw new IOException(discovery + " is about another issuer, " + document.get("issuer"));
            }
            URI keys = JSONObjectUtils.getURI(document, "jwks_uri");
            if (keys == null
                    || !"https".equals(keys.getScheme()) && !issuer.getScheme().equals(keys.getScheme())) {
                throw new IOException("jwks_uri in " + discovery + " must be an address with https:, got " + keys);
            }
            JWKSet set = JWKSet.parse(get(keys));
            away = false;
            return set;
        } catch (IOException | ParseException | IllegalArgumentException e) {
            away = true;
            LOG.warn("The keys of the issuer {} could not be fetched: {}", issuer, e.toString());
            throw new JWKSetUnavailableException("the keys of " + issuer + " could not be fetched", e);
        }
    }

    private String get(URI address) throws IOException {
        return retriever.retrieveResource(address.toURL()).getContent();
    }

    @Override
    public void close() {
        // Nothing stays open between two requests.
    }
}
