package dev.weir.gateway.openid;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.weir.gateway.access.Refusal;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.options.OpenIdOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the claims of a verified token allow. */
final class Claims {

    private static final int FORBIDDEN = 403;
    private static final List<String> ROLES =
            List.of("viewer", "wfms", "pilot", "worker", "feeder", "ranker", "operator");

    private final OpenIdOptions options;
    private final Map<String, Role> roles = new LinkedHashMap<>();

    /** Throws {@link IllegalArgumentException} for a role that is none. */
    Claims(OpenIdOptions options) {
        this.options = options;
        for (String mapping : options.roles()) {
            int at = mapping.lastIndexOf('=');
            String word = mapping.substring(at + 1);
            if (at < 1 || !ROLES.contains(word)) {
                throw new IllegalArgumentException("weir.gateway.oidc-roles: each must be VALUE=ROLE, with a role of "
                        + String.join(", ", ROLES) + ", got '" + mapping + "'");
            }
            roles.putIfAbsent(mapping.substring(0, at), Role.valueOf(word.toUpperCase(Locale.ROOT)));
        }
    }

    /** Throws {@link Refusal} when they allow nothing. */
    Token token(JWTClaimsSet claims) {
        Role role = role(claims);
        OpenIdOptions.ScopeClaims scopes = options.scopes();
        Scope scope = new Scope(
                null,
                names(claims, scopes.pools()),
                names(claims, scopes.pilots()),
                null,
                names(claims, scopes.queues()),
                names(claims, scopes.kinds()),
                null);
        if (role == Role.PILOT && scope.pilots() == null) {
            throw refused(
                    "the token has the role pilot, and no claim '" + scopes.pilots() + "' with the ids of its pilots");
        }
        return new Token(
                name(claims),
                role,
                Token.hash(claims.getIssuer() + " " + claims.getSubject()),
                claims.getExpirationTime().toInstant().plus(Issuer.SKEW),
                scope);
    }

    private Role role(JWTClaimsSet claims) {
        List<String> given = strings(options.roleClaim(), find(claims, options.roleClaim()), true);
        return roles.entrySet().stream()
                .filter(entry -> given != null && given.contains(entry.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseThrow(() -> refused("the token has no role here: its claim '" + options.roleClaim()
                        + "' contains none of " + roles.keySet()));
    }

    private String name(JWTClaimsSet claims) {
        if (!(find(claims, options.nameClaim()) instanceof String name) || name.isEmpty()) {
            throw refused("the token has no claim '" + options.nameClaim() + "' with the name of its owner");
        }
        String plain = URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("%40", "@")
                .replace("+", "%20")
                .replace("*", "%2A");
        if (plain.length() > Token.MAX_ISSUED_NAME) {
            throw refused("the name in the token's claim '" + options.nameClaim() + "' is too long, at most "
                    + Token.MAX_ISSUED_NAME + " characters are possible");
        }
        return Token.ISSUED + plain;
    }

    /** Null without the claim: all. */
    private static List<String> names(JWTClaimsSet claims, String claim) {
        return strings(claim, find(claims, claim), false);
    }

    /** @param words whether the words of a single string count, too */
    private static List<String> strings(String claim, Object value, boolean words) {
        if (value == null) {
            return null;
        }
        List<String> strings = new ArrayList<>();
        if (value instanceof String one) {
            strings.add(one);
            if (words) {
                strings.addAll(List.of(one.split(" ")));
            }
            return strings;
        }
        if (value instanceof List<?> list) {
            for (Object one : list) {
                if (!(one instanceof String text)) {
                    throw notStrings(claim);
                }
                strings.add(text);
            }
            return strings;
        }
        throw notStrings(claim);
    }

    private static Refusal notStrings(String claim) {
        return refused("the token's claim '" + claim + "' must be a string or a list of strings");
    }

    /** Null for none. */
    private static Object find(JWTClaimsSet claims, String name) {
        Object found = claims.getClaim(name);
        if (found != null) {
            return found;
        }
        Object at = claims.getClaims();
        for (String part : name.split("\\.")) {
            at = at instanceof Map<?, ?> object ? object.get(part) : null;
        }
        return at;
    }

    private static Refusal refused(String reason) {
        return new Refusal(FORBIDDEN, reason);
    }
}
