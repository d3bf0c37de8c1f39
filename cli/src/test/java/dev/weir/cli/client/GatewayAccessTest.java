package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayAccessTest {

    @TempDir
    Path directory;

    @Test
    void theFileIsReadableByItsOwnerOnlyAndGivesTheSameAccess() throws IOException {
        Path file = directory.resolve("access.json");
        Files.writeString(file, "an older one, which all may read");
        Access access = new Access(URI.create("http://127.0.0.1:8090/"), "secret");

        access.keep(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Access.find(Map.of(), file)).isEqualTo(access);
        assertThat(access.toString()).doesNotContain("secret");
        assertThat(Access.portIn(file)).isEqualTo(8090);
    }

    @Test
    void theEnvironmentComesBeforeTheFile() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "of-file\n# of Anna\n");
        Map<String, String> given = Map.of(Access.GATEWAY, "https://weir.example", Access.TOKEN_FILE, token.toString());

        assertThat(Access.find(given, directory.resolve("none")))
                .isEqualTo(new Access(URI.create("https://weir.example/"), "of-file"));
    }

    @Test
    void whatIsMissingIsNamedWithAWayOut() {
        assertThatThrownBy(() -> Access.find(Map.of(), directory.resolve("none")))
                .hasMessageContainingAll("none does not exist", "--access", Access.GATEWAY, Access.TOKEN);
        assertThatThrownBy(() -> Access.find(Map.of(Access.GATEWAY, "http://a"), directory))
                .hasMessageContainingAll(Access.TOKEN, Access.TOKEN_FILE);
        assertThatThrownBy(() -> Access.find(Map.of(Access.GATEWAY, "a:8090", Access.TOKEN, "b"), directory))
                .hasMessageContaining("got a:8090");
    }

    @Test
    void aTokenThatIsJustBeingWrittenIsNone() {
        URI gateway = URI.create("http://127.0.0.1:8090/");

        assertThat(new Access(gateway, "weir_abc").hasToken()).isTrue();
        assertThat(new Access(gateway, "").hasToken()).isFalse();
        assertThat(new Access(gateway, "two\nlines").hasToken()).isFalse();
    }

    @Test
    void aTokenThatCannotStandInARequestIsRefusedWithoutBeingShown() {
        Access access = new Access(URI.create("http://127.0.0.1:8090/"), "\ufeffsecret");

        assertThatThrownBy(() -> new GatewayClient(access))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("http://127.0.0.1:8090/", Access.TOKEN_FILE)
                .hasMessageNotContaining("secret");
    }
}
