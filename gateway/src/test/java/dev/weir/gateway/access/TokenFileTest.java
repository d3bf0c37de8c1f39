package dev.weir.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {

    private static final String OF_FILE = "a-token-of-the-file";
    private static final String OF_ENVIRONMENT = "a-token-of-the-environment";

    private static Token token(String name, String text) {
        return new Token(name, Role.VIEWER, Token.hash(text), Instant.parse("2030-01-01T00:00:00Z"), Scope.ALL);
    }

    private static String line(Token token) {
        return new String(Json.write(token), StandardCharsets.UTF_8);
    }

    @Test
    void tokensOfTheEnvironmentAreValidWithAndWithoutAFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        List<String> environment =
                List.of("", "# comment", "{\"name\": \"broken\"", line(token("deployed", OF_ENVIRONMENT)));

        assertThat(new TokenFile(file, environment).find(OF_ENVIRONMENT))
                .hasValueSatisfying(token -> assertThat(token.name()).isEqualTo("deployed"));
        TokenFile.put(file, token("local", OF_FILE));
        TokenFile both = new TokenFile(file, environment);
        assertThat(both.find(OF_ENVIRONMENT)).isPresent();
        assertThat(both.find(OF_FILE)).isPresent();
        assertThat(both.find("another")).isEmpty();
        assertThat(new TokenFile(file).find(OF_ENVIRONMENT)).isEmpty();
    }

    @Test
    void aByteThatIsNoUtf8SpoilsNoTokenOfAnotherLine(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        Files.write(file, ("# f\u00fcr J\u00f6rg\n" + line(token("a", OF_FILE))).getBytes(StandardCharsets.ISO_8859_1));

        assertThat(new TokenFile(file).find(OF_FILE)).isPresent();
        TokenFile.put(file, token("b", "another"));
        assertThat(new TokenFile(file).find(OF_FILE)).isPresent();
        assertThat(new TokenFile(file).find("another")).isPresent();
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).startsWith("# f\u00fcr J\u00f6rg\n");
    }

    @Test
    void aLineWithAMisspeltNameIsNoTokenSinceWithoutItsScopeItMightDoAll(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        String good = line(token("a", OF_FILE));
        for (String bad : List.of(
                good.replace("{\"name\"", "{\"scop\":{\"queues\":[\"a\"]},\"name\""),
                good.replace("{\"name\"", "{\"scope\":{\"queue\":[\"a\"]},\"name\""))) {
            Files.writeString(file, bad);
            assertThat(new TokenFile(file).find(OF_FILE)).as(bad).isEmpty();
            assertThat(new TokenFile(directory.resolve("none"), List.of(bad)).find(OF_FILE))
                    .as(bad)
                    .isEmpty();
        }
        Files.writeString(file, good);
        assertThat(new TokenFile(file).find(OF_FILE)).isPresent();
    }

    @Test
    void aNewTokenLeavesOwnerAndModeOfTheFileAsTheyWere(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        TokenFile.put(file, token("a", "a"));
        assertThat(mode(file)).isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        TokenFile.put(file, token("b", "b"));

        assertThat(mode(file)).isEqualTo("rw-r-----");
        assertThat(new TokenFile(file).find("a")).isPresent();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void tokensThatAreMadeAtOnceAreAllKept(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        CompletableFuture.allOf(IntStream.range(0, 8)
                        .mapToObj(i -> CompletableFuture.runAsync(() ->
                                assertThatNoException().isThrownBy(() -> TokenFile.put(file, token("n" + i, "t" + i)))))
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(Files.readAllLines(file)).hasSize(8);
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void whatACommandLeftThatWasKilledKeepsNoOtherFromChangingTheTokens(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("tokens");
        Files.createFile(directory.resolve("tokens.new"));
        Set<PosixFilePermission> none = PosixFilePermissions.fromString("---------");
        Files.createFile(directory.resolve("tokens.lock"), PosixFilePermissions.asFileAttribute(none));

        TokenFile.put(file, token("a", "a"));

        assertThat(new TokenFile(file).find("a")).isPresent();
    }
}
