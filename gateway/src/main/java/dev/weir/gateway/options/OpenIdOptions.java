package dev.weir.gateway.options;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * An OpenID provider whose tokens the gateway takes beside its own. Claims are named as in the token; a name with dots also leads into objects:
 * {@code realm_access.roles}.
 *
 * @param issuer as in its discovery document and in the claim {@code iss}
 * @param audience that must be in the claim {@code aud}
 * @param nameClaim names the caller in commands and in the audit log
 * @param roleClaim a string or a list of strings; the first of {@code roles} that it contains counts
 * @param roles each {@code VALUE=ROLE}
 * @param scopes which claims have the scope
 * @param authorities a PEM file with the only certification authorities to trust with its address; null: those that Java trusts
 */
public record OpenIdOptions(
        URI issuer,
        String audience,
        String nameClaim,
        String roleClaim,
        List<String> roles,
        ScopeClaims scopes,
        Path authorities) {

    /**
     * Names of claims, each a list of names or of beginnings that end with a star; of one that a token lacks it may use all.
     *
     * @param pilots ids of pilots; a pilot needs it
     * @param pools pools of jobs
     * @param queues queues of items
     * @param kinds kinds of items
     */
    public record ScopeClaims(String pilots, String pools, String queues, String kinds) {

        public static final ScopeClaims DEFAULT =
                new ScopeClaims("weir_pilots", "weir_pools", "weir_queues", "weir_kinds");
    }

    public OpenIdOptions {
        roles = List.copyOf(roles);
        boolean isLocal = issuer.getHost() != null && issuer.getHost().matches("localhost|127\\..*|\\[::1]");
        if (!"https".equals(issuer.getScheme()) && !("http".equals(issuer.getScheme()) && isLocal)) {
            throw new IllegalArgumentException(
                    "the issuer must be an address that begins with https:, or with http: on this machine, got "
                            + issuer);
        }
        if (audience == null || audience.isEmpty()) {
            throw new IllegalArgumentException("the audience of the issuer's tokens (weir.gateway.oidc-audience) is"
                    + " required: without it tokens for other services would be valid here");
        }
    }
}
