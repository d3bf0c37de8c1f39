package dev.weir.gateway.access;

import java.util.Optional;

/** Knows which tokens there are. Safe for use from many threads. */
public interface Tokens {

    /**
     * The token with this text; empty when there is none. It may be expired.
     *
     * @throws Refusal when more can be said
     */
    Optional<Token> find(String text);

    /** Whether there cannot be any token. */
    boolean isEmpty();
}
