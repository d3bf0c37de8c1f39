package dev.weir.gateway.access;

import dev.weir.protocol.InvalidMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * What is kept of a token: a line of the file of tokens, without the token itself; or what the token of an issuer says.
 *
 * @param name of its owner; it stands in commands and in the audit log. Those of an issuer begin with {@link #ISSUED}
 * @param sha256 of the token's text, in hex. A token has 256 random bits, so nothing slower is needed. Of an issuer's: of its owner there
 * @param scope null for everything that the role may
 */
public record Token(String name, Role role, String sha256, Instant expires, Scope scope) {

    public static final String ISSUED = "oidc/";
    public static final int MAX_ISSUED_NAME = 120;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,60}");
    private static final Pattern ISSUED_NAME = Pattern.compile(ISSUED + "[A-Za-z0-9._@%-]{1," + MAX_ISSUED_NAME + "}");
    private static final int ID_DIGITS = 32;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final String PREFIX = "weir_";
    private static final int RANDOM_BYTES = 32;

    public Token {
        if (name == null
                || !NAME.matcher(name).matches() && !ISSUED_NAME.matcher(name).matches()) {
            throw new InvalidMessage("name", "name must be 1 to 60 of A-Z a-z 0-9 . _ -");
        }
        if (role == null || role == Role.ANYONE) {
            throw new InvalidMessage("role", "role must be viewer, wfms, pilot, worker, feeder, ranker or operator");
        }
        if (sha256 == null || !HASH.matcher(sha256).matches()) {
            throw new InvalidMessage("sha256", "sha256 must be 64 hex digits");
        }
        if (expires == null) {
            throw new InvalidMessage("expires", "expires is required");
        }
        scope = scope == null ? Scope.ALL : scope;
        if (role == Role.PILOT && scope.pilots() == null) {
            throw new InvalidMessage("scope.pilots", "a token of role pilot must name its pilots");
        }
    }

    /** Its owner in the ids of commands, which have fewer characters than names. */
    public String owner() {
        return name.startsWith(ISSUED) ? "oidc-" + sha256.substring(0, ID_DIGITS) : name;
    }

    /** The text of a new token, for {@code Authorization: Bearer}. */
    public static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** How a token is looked up and kept. */
    public static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
