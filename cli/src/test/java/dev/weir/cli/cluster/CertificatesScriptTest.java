package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code flink-conf/examples/certificates}, as an operator runs it each year. */
@Timeout(300)
class CertificatesScriptTest {

    private static final String PASSWORD = "a.Pass_word/9+=-";
    private static final Path KEYTOOL = Path.of(System.getProperty("java.home"), "bin", "keytool");

    @TempDir
    Path directory;

    private record Said(int exit, String text) {}

    private Said run(Path keytools) throws Exception {
        return run(keytools, PASSWORD, "tls");
    }

    private Said run(Path keytools, String password, String target) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        Path.of("../flink-conf/examples/certificates").toString(),
                        directory.resolve(target).toString(),
                        "dns:localhost,ip:127.0.0.1")
                .redirectErrorStream(true);
        builder.environment().put("WEIR_TLS_PASSWORD", password);
        builder.environment().merge("PATH", keytools.toString(), (path, first) -> first + ":" + path);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    /** The name of each file and what is in it. */
    private Map<String, String> files() throws IOException {
        Map<String, String> files = new HashMap<>();
        try (Stream<Path> all = Files.list(directory.resolve("tls"))) {
            for (Path file : all.toList()) {
                files.put(
                        file.getFileName().toString(),
                        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    private KeyStore store(String name) throws Exception {
        return KeyStore.getInstance(directory.resolve("tls").resolve(name).toFile(), PASSWORD.toCharArray());
    }

    @Test
    void aSecondRunMakesEverythingAnewAndOneThatFailsChangesNothing() throws Exception {
        assertThat(run(KEYTOOL.getParent())).isEqualTo(new Said(0, ""));
        Map<String, String> first = files();
        assertThat(first)
                .containsOnlyKeys(
                        "internal.p12",
                        "rest.p12",
                        "rest.pem",
                        "operator.p12",
                        "operator.pem",
                        "operators.p12",
                        "servers.p12",
                        "operator.options");
        assertThat(first.get("operator.options")).contains("keyStore=" + directory.resolve("tls/operator.p12"));

        assertThat(run(KEYTOOL.getParent())).isEqualTo(new Said(0, ""));
        Map<String, String> second = files();
        assertThat(second).containsOnlyKeys(first.keySet());
        first.forEach((name, content) -> {
            if (!name.equals("operator.options")) {
                assertThat(second.get(name)).as(name).isNotEqualTo(content);
            }
        });
        assertThat(store("servers.p12").getCertificate("rest"))
                .isEqualTo(store("rest.p12").getCertificate("rest"));
        assertThat(store("operators.p12").getCertificate("operator"))
                .isEqualTo(store("operator.p12").getCertificate("operator"));

        Said failed = run(keytoolThatFailsAtItsSecondCall());
        assertThat(failed.exit()).isNotZero();
        assertThat(failed.text()).contains("the disk is full");
        assertThat(files()).isEqualTo(second);
    }

    @Test
    void whatJavaWouldNotTakeAsItStandsIsRefused() throws Exception {
        for (String password : List.of("a password", "pass\"word", "pass#word", "pass$word", "pass\nword")) {
            assertThat(run(KEYTOOL.getParent(), password, "tls").text())
                    .as(password)
                    .startsWith("certificates: WEIR_TLS_PASSWORD may have only");
        }
        assertThat(run(KEYTOOL.getParent(), PASSWORD, "my keys"))
                .isEqualTo(new Said(
                        2,
                        "certificates: the path '" + directory.toRealPath().resolve("my keys")
                                + "' has a blank; take another directory\n"));
    }

    private Path keytoolThatFailsAtItsSecondCall() throws IOException {
        Path tools = Files.createDirectories(directory.resolve("tools"));
        Path keytool = Files.write(
                tools.resolve("keytool"),
                List.of(
                        "#!/bin/sh",
                        "[ ! -e '" + tools + "/called' ] || { echo the disk is full >&2; exit 1; }",
                        "touch '" + tools + "/called'",
                        "exec '" + KEYTOOL + "' \"$@\""));
        assertThat(keytool.toFile().setExecutable(true)).isTrue();
        return tools;
    }
}
