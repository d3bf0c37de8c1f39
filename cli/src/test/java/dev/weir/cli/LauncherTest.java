package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which language and encoding the script {@code weir} starts Java, and so the programs of jobs. */
class LauncherTest {

    @TempDir
    Path temp;

    /** As a package has it, with a Java that shows its locale. */
    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(temp.resolve("lib"));
        Files.createDirectories(temp.resolve("bin"));
        Files.copy(Path.of("../weir"), temp.resolve("bin/weir"));
        Path java = Files.createDirectories(temp.resolve("java/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nenv | grep '^L[AC]' | sort\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private List<String> locale(Map<String, String> of) throws IOException {
        return locale(temp.resolve("bin/weir"), of);
    }

    private List<String> locale(Path weir, Map<String, String> of) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", weir.toString(), "status").redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
        builder.environment().put("JAVA_HOME", temp.resolve("java").toString());
        builder.environment().putAll(of);
        byte[] printed = builder.start().getInputStream().readAllBytes();
        return new String(printed, StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void reasonsAreInEnglishWhateverTheLanguageOfTheLogin() throws IOException {
        assertThat(locale(Map.of("LANG", "de_DE.UTF-8", "LANGUAGE", "de", "LC_MESSAGES", "de_DE.UTF-8")))
                .containsExactly("LANG=de_DE.UTF-8", "LC_MESSAGES=C");
        assertThat(locale(Map.of("LANGUAGE", "de"))).containsExactly("LC_ALL=C.UTF-8", "LC_MESSAGES=C");
        assertThat(locale(Map.of("LANG", "de_DE.ISO-8859-1", "LANGUAGE", "de")))
                .containsExactly("LANG=de_DE.ISO-8859-1", "LC_ALL=C.UTF-8", "LC_MESSAGES=C");
    }

    @Test
    void aLinkToItFindsWhatLiesBesideIt() throws IOException {
        Path links = Files.createDirectories(temp.resolve("links"));
        Files.createSymbolicLink(links.resolve("first"), Path.of("../bin/weir"));
        Files.createSymbolicLink(links.resolve("weir"), links.resolve("first"));

        assertThat(locale(links.resolve("weir"), Map.of("LANG", "en_GB.UTF-8")))
                .containsExactly("LANG=en_GB.UTF-8", "LC_MESSAGES=C");
    }

    @Test
    void whatOneLocaleForAllHasHiddenStaysHidden() throws IOException {
        assertThat(locale(Map.of(
                        "LC_ALL", "en_GB.UTF-8", "LC_NUMERIC", "de_DE", "LC_PAPER", "de_DE", "LC_CTYPE", "de_DE")))
                .containsExactly("LANG=en_GB.UTF-8", "LC_MESSAGES=C");
        assertThat(locale(Map.of("LANG", "en_GB.UTF-8", "LC_NUMERIC", "de_DE.UTF-8")))
                .containsExactly("LANG=en_GB.UTF-8", "LC_MESSAGES=C", "LC_NUMERIC=de_DE.UTF-8");
    }
}
