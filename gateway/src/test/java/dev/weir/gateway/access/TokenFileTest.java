package dev.weir.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
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
}
