package dev.weir.pilot.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * A checksum as it stands in messages: {@code algorithm:hex}, or bare hex whose length gives the algorithm (8 digits Adler-32, 32
 * MD5, 40 SHA-1, 64 SHA-256, 128 SHA-512).
 *
 * @param algorithm {@code adler32, crc32, md5, sha1, sha256} or {@code sha512}
 * @param hex in lower case
 */
public record Checksum(String algorithm, String hex) {

    private static final int BUFFER_BYTES = 64 << 10;

    @Override
    public String toString() {
        return algorithm + ":" + hex;
    }

    /**
     * Reads either form; case and hyphens in the algorithm's name do not matter.
     *
     * @throws IllegalArgumentException when it is neither, with the reason
     */
    public static Checksum parse(String text) {
        int colon = text.indexOf(':');
        String hex = text.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        String algorithm = colon < 0
                ? byLength(hex)
                : text.substring(0, colon).strip().toLowerCase(Locale.ROOT).replace("-", "");
        int digits = switch (algorithm) {
            case "adler32", "crc32" -> 8;
            case "md5" -> 32;
            case "sha1" -> 40;
            case "sha256" -> 64;
            case "sha512" -> 128;
            default ->
                throw new IllegalArgumentException("the checksum '" + text + "' is of no known algorithm;"
                        + " known are adler32, crc32, md5, sha1, sha256, sha512");
        };
        if (hex.length() != digits || !hex.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw new IllegalArgumentException(
                    "the checksum '" + text + "' must have " + digits + " hexadecimal digits");
        }
        return new Checksum(algorithm, hex);
    }

    private static String byLength(String hex) {
        return switch (hex.length()) {
            case 8 -> "adler32";
            case 32 -> "md5";
            case 40 -> "sha1";
            case 64 -> "sha256";
            case 128 -> "sha512";
            default -> "";
        };
    }

    /** SHA-256 of a file, the kind that pilots report. */
    public static Checksum sha256(Path file) throws IOException {
        return of(file, "sha256");
    }

    /** The checksum of a file, by one of the known algorithms. */
    public static Checksum of(Path file, String algorithm) throws IOException {
        return new Checksum(
                algorithm,
                switch (algorithm) {
                    case "adler32" -> rolling(file, new Adler32());
                    case "crc32" -> rolling(file, new CRC32());
                    case "md5" -> digest(file, "MD5");
                    case "sha1" -> digest(file, "SHA-1");
                    case "sha256" -> digest(file, "SHA-256");
                    case "sha512" -> digest(file, "SHA-512");
                    default -> throw new IllegalArgumentException("no such algorithm: " + algorithm);
                });
    }

    private static String rolling(Path file, java.util.zip.Checksum sum) throws IOException {
        feed(file, sum::update);
        return String.format("%08x", sum.getValue());
    }

    private static String digest(Path file, String name) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance(name);
            feed(file, digest::update);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }

    private interface Sink {
        void update(byte[] bytes, int offset, int length);
    }

    private static void feed(Path file, Sink sink) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sink.update(buffer, 0, read);
            }
        }
    }
}
