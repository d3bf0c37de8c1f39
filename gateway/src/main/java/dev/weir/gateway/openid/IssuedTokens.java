package dev.weir.gateway.openid;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.access.Tokens;
import java.time.Duration;
import java.util.Optional;

/** The tokens of the file, and beside them those of an issuer. */
public final class IssuedTokens implements Tokens {

    /** So that a key which the issuer has withdrawn does not count for long. */
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private static final long MOST = 10_000;

    private final TokenFile file;
    private final Issuer issuer;
    private final Cache<String, Token> verified =
            Caffeine.newBuilder().expireAfterWrite(REMEMBERED).maximumSize(MOST).build();

    public IssuedTokens(TokenFile file, Issuer issuer) {
        this.file = file;
        this.issuer = issuer;
    }

    @Override
    public Optional<Token> find(String text) {
        Optional<Token> kept = file.find(text);
        // Tokens of the file have no dots.
        return kept.isPresent() || text.indexOf('.') < 0
                ? kept
                : Optional.of(verified.get(Token.hash(text), hash -> issuer.verify(text)));
    }

    @Override
    public boolean isEmpty() {
        return false;
    }
}
