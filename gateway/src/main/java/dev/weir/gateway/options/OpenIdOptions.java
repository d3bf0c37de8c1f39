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
 * @param pilotsClaim the ids of pilots in the scope, a list of strings; a pilot needs it
 * @param poolsClaim the pools in the scope, a list of strings; without it all
 * @param authorities a PEM file with the only certification authorities to trust with its address; null: those that Java trusts
 */
public record OpenIdOptions(
        URI issuer,
        String audience,
        String nameClaim,
        String roleClaim,
        List<String> roles,
        String pilotsClaim,
        String poolsClaim,
        Path authorities) {

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
