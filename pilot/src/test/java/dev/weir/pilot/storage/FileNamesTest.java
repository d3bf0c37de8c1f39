package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileNamesTest {

    @Test
    void theWriterStandsBeforeTheExtension() {
        assertThat(FileNames.withWriter("file:///s/set/j/a.b.7.1.out", "node.3"))
                .isEqualTo("file:///s/set/j/a.b.7.1.node.3.out");
        assertThat(FileNames.withWriter("http://h.example/v1.2/plain", "p")).isEqualTo("http://h.example/v1.2/plain.p");
        assertThat(FileNames.withWriter("file:///s/.hidden", "p")).isEqualTo("file:///s/.hidden.p");
    }

    @Test
    void aNameThatGetsTooLongCarriesAHashOfTheWriter() {
        String long200 = "x".repeat(200);
        String one = FileNames.withWriter("file:///s/" + long200 + ".7.1.out", "p".repeat(128));
        String other = FileNames.withWriter("file:///s/" + long200 + ".7.1.out", "p".repeat(127) + "q");
        assertThat(one)
                .startsWith("file:///s/" + long200 + ".7.1.")
                .endsWith(".out")
                .isNotEqualTo(other);
        assertThat(one.length() - "file:///s/".length()).isLessThanOrEqualTo(FileNames.MAX_BYTES);
    }

    @Test
    void aLocalNameIsAlwaysAPlainOne() {
        assertThat(FileNames.local("file:///a/b/c.dat")).isEqualTo("c.dat");
        assertThat(FileNames.local("https://h/a/c%20d.dat?token=1")).isEqualTo("c d.dat");
        assertThat(FileNames.local("https://h/a/%2e%2e%2fetc")).isEqualTo("etc");
        assertThat(FileNames.local("file:///a/..")).isEqualTo("file");
        assertThat(FileNames.local("file:///a/")).isEqualTo("file");
        assertThat(FileNames.local("file:///" + "y".repeat(300) + ".dat"))
                .hasSize(80)
                .endsWith(".dat");
    }
}
