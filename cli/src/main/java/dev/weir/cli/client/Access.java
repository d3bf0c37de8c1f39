package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the gateway is, and the token for it; {@link #toString} hides the token.
 *
 * @param gateway as in {@code http://127.0.0.1:8090}
 * @param authorities a file of certificates: only gateways whose certificate they have signed are trusted; null: those that Java trusts
 */
public record Access(URI gateway, String token, Path authorities) {

    static final String GATEWAY = "WEIR_GATEWAY";
    static final String TOKEN = "WEIR_TOKEN";
    static final String TOKEN_FILE = "WEIR_TOKEN_FILE";

    static final String CA_FILE = "WEIR_CA_FILE";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** With the authorities that Java trusts. */
    public Access(URI gateway, String token) {
        this(gateway, token, null);
    }

    /** With these authorities; null changes nothing. */
    Access trusting(Path file) {
        return file == null ? this : new Access(gateway, token, file);
    }

    /** Whether the token can stand in a request; one that is just being written may be cut. */
    boolean hasToken() {
        return isToken(token);
    }

    /** Java's HTTP client would quote any other text in the message with which it refuses it. */
    static boolean isToken(String text) {
        return text.matches("[!-~]+");
    }

    /** The first line of a file with a token. */
    static String firstLine(Path file) throws IOException {
        return Files.readString(file).lines().findFirst().orElse("").strip();
    }

    /**
     * The access in the environment, or else in the file.
     *
     * @param environment {@code WEIR_GATEWAY} with {@code WEIR_TOKEN} or {@code WEIR_TOKEN_FILE}; {@code WEIR_CA_FILE}
     * @param file as {@link #keep} writes it, with {@code ca_file} or without
     * @throws IOException when there is neither, or it cannot be understood; the message says what to do
     */
    static Access find(Map<String, String> environment, Path file) throws IOException {
        String gateway = environment.get(GATEWAY);
        String authorities = environment.get(CA_FILE);
        if (gateway != null) {
            return new Access(address(gateway, GATEWAY), token(environment)).trusting(path(authorities));
        }
        if (!Files.exists(file)) {
            throw new IOException("no access to a gateway: " + file + " does not exist, and " + GATEWAY
                    + " is not set. ./weir up writes the file; name another with --access, or set " + GATEWAY + " and "
                    + TOKEN + " or " + TOKEN_FILE);
        }
        try {
            JsonNode kept = JSON.readTree(file.toFile());
            return new Access(
                            address(kept.path("gateway").asText(), file + ", gateway"),
                            kept.path("token").asText(),
                            path(kept.path("ca_file").asText(null)))
                    .trusting(path(authorities));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IOException(
                    file + " must be JSON with the fields gateway and token: " + e.getOriginalMessage(), e);
        }
    }

    /** The port of the gateway in a file of {@link #keep}; 0 if that cannot be read. */
    public static int portIn(Path file) {
        try {
            return Math.max(0, find(Map.of(), file).gateway().getPort());
        } catch (IOException | IllegalArgumentException e) {
            return 0;
        }
    }

    private static Path path(String text) {
        return text == null ? null : Path.of(text);
    }

    private static String token(Map<String, String> environment) throws IOException {
        String file = environment.get(TOKEN_FILE);
        String token = file == null ? environment.get(TOKEN) : firstLine(Path.of(file));
        if (token == null) {
            throw new IOException(GATEWAY + " is set, but neither " + TOKEN + " nor " + TOKEN_FILE + " is");
        }
        return token.strip();
    }

    private static URI address(String text, String where) throws IOException {
        if (!text.matches("https?://[^\\s/]+(/.*)?")) {
            throw new IOException(where + " must be an address such as http://127.0.0.1:8090, got " + text);
        }
        return URI.create(text.endsWith("/") ? text : text + "/");
    }

    /** Writes the access to a file that only its owner can read, in place of an older one. */
    public void keep(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Map<String, String> kept = new LinkedHashMap<>();
        kept.put("gateway", gateway.toString());
        kept.put("token", token);
        if (authorities != null) {
            kept.put("ca_file", authorities.toAbsolutePath().toString());
        }
        Files.writeString(part, JSON.writeValueAsString(kept) + "\n");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public String toString() {
        return gateway + " with a token";
    }
}
