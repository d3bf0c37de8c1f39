package dev.weir.gateway.http;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.weir.gateway.access.Refusal;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.Tokens;
import dev.weir.web.Problem;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.security.RouteRole;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lets requests in: first by their number, then by their token. */
final class Guard {

    private static final String TOKEN = "weir.token";
    private static final String REFUSAL = "weir.refusal";
    private static final String SCHEME = "Bearer ";
    private static final int MAX_TOKEN_LENGTH = 7000;
    private static final int STRANGERS_SHARE = 20;
    private static final long MOST_CLIENTS = 100_000;

    private final Tokens tokens;
    private final LoadingCache<String, Bucket> ofTokens;
    private final LoadingCache<String, Bucket> ofStrangers;

    /** @param requestsPerSecond of one token; an address without a valid one has a twentieth, at least one */
    Guard(Tokens tokens, int requestsPerSecond) {
        this.tokens = tokens;
        ofTokens = buckets(requestsPerSecond);
        ofStrangers = buckets(Math.max(1, requestsPerSecond / STRANGERS_SHARE));
    }

    private static LoadingCache<String, Bucket> buckets(int perSecond) {
        return Caffeine.newBuilder()
                .expireAfterAccess(Duration.ofMinutes(1))
                .maximumSize(MOST_CLIENTS)
                .build(client -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
                        .build());
    }

    /** Before everything else: finds the token, and counts. */
    void count(Context http) {
        Optional<Token> token = known(http);
        token.ifPresent(found -> http.attribute(TOKEN, found));
        if (token.isEmpty() && isForAll(http.path())) {
            return;
        }
        Bucket bucket = token.isPresent() ? ofTokens.get(token.get().sha256()) : ofStrangers.get(http.ip());
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(probe.getNanosToWaitForRefill()) + 1;
            http.header("Retry-After", Long.toString(seconds));
            throw new Problem(
                    429,
                    "Too many requests",
                    token.isPresent()
                            ? "this token is used for too many requests; wait " + seconds + " s"
                            : "too many requests without a valid token come from " + http.ip() + "; wait " + seconds
                                    + " s, or send a token");
        }
    }

    /** What costs next to nothing and is asked for without a token, from behind a proxy by many. */
    private static boolean isForAll(String path) {
        return path.equals("/") || path.equals("/health") || path.startsWith("/ui/");
    }

    private Optional<Token> known(Context http) {
        try {
            return given(http).flatMap(tokens::find);
        } catch (Refusal e) {
            http.attribute(REFUSAL, e);
            return Optional.empty();
        }
    }

    private static Optional<String> given(Context http) {
        String header = http.header("Authorization");
        return header == null
                        || header.length() > MAX_TOKEN_LENGTH
                        || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.empty()
                : Optional.of(header.substring(SCHEME.length()).strip());
    }

    /** For a route that was found: whether the token may use it. */
    void authorise(Context http) {
        Set<RouteRole> allowed = http.routeRoles();
        if (allowed.contains(Role.ANYONE)) {
            return;
        }
        if (http.method() == HandlerType.HEAD) {
            // The server finds the route of GET for it, without its roles and its handler.
            http.header("Allow", "GET");
            throw new Problem(405, "No HEAD", "only / and /health answer HEAD; use GET");
        }
        refuse(http);
        Token token = http.attribute(TOKEN);
        if (token == null || !token.expires().isAfter(Instant.now())) {
            http.header("WWW-Authenticate", "Bearer");
            throw new Problem(401, "No valid token", whyNotValid(http, token), "Authorization", null);
        }
        if (!allowed.contains(token.role())) {
            throw new Problem(
                    403,
                    "Not allowed",
                    "token '" + token.name() + "' has the role " + token.role().word() + ", which may not do this");
        }
    }

    private static void refuse(Context http) {
        Refusal refusal = http.attribute(REFUSAL);
        if (refusal != null) {
            switch (refusal.status()) {
                case 401 -> http.header("WWW-Authenticate", "Bearer");
                case 503 -> http.header("Retry-After", "5");
                default -> {}
            }
            throw new Problem(refusal.status(), "Token refused", refusal.getMessage(), "Authorization", null);
        }
    }

    private String whyNotValid(Context http, Token token) {
        if (token != null) {
            return "token '" + token.name() + "' expired at " + token.expires() + "; get a new one from your operator";
        }
        String how = tokens.isEmpty()
                ? "; this gateway has no tokens yet, its operator makes one with ./weir gateway token"
                : "; tokens come from the operator of this gateway";
        String header = http.header("Authorization");
        if (header != null && header.length() > MAX_TOKEN_LENGTH) {
            return "Authorization has more than " + MAX_TOKEN_LENGTH + " characters; ask for a token with fewer claims";
        }
        return header == null
                ? "send a token as Authorization: Bearer TOKEN" + how
                : "the token in Authorization is unknown, or not of the form Bearer TOKEN" + how;
    }

    /** Whether the token of a request that goes on has not expired, and was not taken away. */
    boolean isStillValid(Context http) {
        return known(http)
                .filter(token -> token.expires().isAfter(Instant.now()))
                .isPresent();
    }

    /** The token of an authorised request. */
    static Token token(Context http) {
        return http.attribute(TOKEN);
    }

    /** Throws unless the token's scope contains the thing. */
    static void requireScope(Context http, Scope.Kind kind, String name) {
        requireScope(http, kind, name, kind.name().toLowerCase(Locale.ROOT));
    }

    /** @param field that names the thing */
    static void requireScope(Context http, Scope.Kind kind, String name, String field) {
        Token token = token(http);
        if (!token.scope().contains(kind, name)) {
            throw new Problem(
                    403,
                    "Not in the token's scope",
                    kind.name().toLowerCase(Locale.ROOT) + " '" + name + "' is not in the scope of token '"
                            + token.name() + "'",
                    field,
                    null);
        }
    }

    /**
     * Throws if the token's scope has kinds.
     *
     * @param why it may not do what does not look at the kind of what is there
     */
    static void requireNoKinds(Context http, String why) {
        if (token(http).scope().kinds() != null) {
            throw new Problem(
                    403, "Not in the token's scope", why + ", so a token with kinds in its scope may not do this");
        }
    }
}
