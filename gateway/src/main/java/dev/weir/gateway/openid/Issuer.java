package dev.weir.gateway.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.weir.gateway.access.Refusal;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.options.OpenIdOptions;
import java.text.ParseException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Verifies the tokens of one issuer with the keys that it publishes. Safe for use from many threads. */
public final class Issuer implements AutoCloseable {

    /** By which the clocks of issuer and gateway may differ. */
    static final Duration SKEW = Duration.ofSeconds(30);

    /** Only with keys that the issuer alone has. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final String ALLOWED =
            ALGORITHMS.stream().map(JWSAlgorithm::getName).sorted().collect(Collectors.joining(", "));

    private static final Logger LOG = LoggerFactory.getLogger(Issuer.class);
    private static final int UNAUTHORISED = 401;
    private static final int AWAY = 503;

    private final OpenIdOptions options;
    private final Claims claims;
    private final PublishedKeys published;
    private final JWKSource<SecurityContext> keys;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    /**
     * How long keys are used.
     *
     * @param fresh before they are fetched again
     * @param ahead before the end of that time, when requests come, they are fetched without letting these wait; zero: never
     * @param known after the issuer was last reached
     * @param pause two requests for them at most in this time, whatever keys tokens name
     */
    record Times(Duration fresh, Duration ahead, Duration known, Duration pause) {

        static final Times USUAL =
                new Times(Duration.ofMinutes(5), Duration.ofMinutes(2), Duration.ofHours(4), Duration.ofSeconds(30));
    }

    /** The issuer need not be there yet. Throws {@link IllegalArgumentException} for options that cannot be used. */
    public Issuer(OpenIdOptions options) {
        this(options, Times.USUAL);
    }

    Issuer(OpenIdOptions options, Times times) {
        this.options = options;
        claims = new Claims(options);
        published = new PublishedKeys(options.issuer(), options.authorities());
        JWKSourceBuilder<SecurityContext> source = JWKSourceBuilder.<SecurityContext>create(published)
                .cache(times.fresh().toMillis(), PublishedKeys.LONGEST.toMillis())
                .rateLimited(times.pause().toMillis())
                .outageTolerant(times.known().toMillis());
        keys = (times.ahead().isZero()
                        ? source.refreshAheadCache(false)
                        : source.refreshAheadCache(times.ahead().toMillis(), false))
                .build();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
        DefaultJWTClaimsVerifier<SecurityContext> verifier = new DefaultJWTClaimsVerifier<>(
                options.audience(),
                new JWTClaimsSet.Builder().issuer(options.issuer().toString()).build(),
                Set.of("sub", "exp"));
        verifier.setMaxClockSkew((int) SKEW.toSeconds());
        processor.setJWTClaimsSetVerifier(verifier);
    }

    /** What the token allows. Throws {@link Refusal}. May wait for the issuer, a few seconds at most. */
    Token verify(String text) {
        return claims.token(verified(signed(text)));
    }

    private SignedJWT signed(String text) {
        JWT jwt;
        try {
            jwt = JWTParser.parse(text);
        } catch (ParseException e) {
            throw refused("the token is neither one of this gateway nor a JWT");
        }
        if (jwt instanceof SignedJWT signed
                && ALGORITHMS.contains(signed.getHeader().getAlgorithm())) {
            return signed;
        }
        throw refused("the token must be signed with one of " + ALLOWED + ", and its algorithm is "
                + shortened(jwt.getHeader().getAlgorithm().getName()));
    }

    private JWTClaimsSet verified(SignedJWT jwt) {
        try {
            return processor.process(jwt, null);
        } catch (BadJWTException e) {
            throw refused("the token of " + options.issuer() + " is not valid: " + shortened(e.getMessage()));
        } catch (BadJWSException e) {
            throw refused("the signature of the token is not that of a key of " + options.issuer());
        } catch (BadJOSEException e) {
            throw unknownKey(jwt);
        } catch (KeySourceException e) {
            throw published.isAway() || e instanceof JWKSetUnavailableException ? away() : unknownKey(jwt);
        } catch (JOSEException e) {
            LOG.warn("A token of {} could not be verified: {}", options.issuer(), e.toString());
            throw refused("the token could not be verified; the gateway's log says why");
        }
    }

    private Refusal unknownKey(SignedJWT jwt) {
        return refused("the token names the key " + shortened(jwt.getHeader().getKeyID()) + ", which "
                + options.issuer() + " does not have for its algorithm");
    }

    private Refusal away() {
        return new Refusal(
                AWAY,
                "the issuer " + options.issuer()
                        + " does not answer, and without its keys no token of it can be verified;" + " ask again");
    }

    private static Refusal refused(String reason) {
        return new Refusal(UNAUTHORISED, reason);
    }

    private static String shortened(String text) {
        return text == null || text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    @Override
    public void close() {
        if (keys instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.debug("The keys were not closed cleanly", e);
            }
        }
    }
}
