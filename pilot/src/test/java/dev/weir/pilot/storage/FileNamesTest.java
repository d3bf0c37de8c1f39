package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
    void theLongestNameThatWeirMakesStaysWithinAFileSystemsLimit() {
        String name = "日".repeat(53) + ".9223372036854775807.2147483647.out";

        String marked = FileNames.withWriter("file:///d/" + name, "p".repeat(128) + ".0a1b2c");

        assertThat(marked.substring("file:///d/".length()).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(FileNames.MAX_BYTES);
    }

    @Test
    void aLocalNameBeginsWithAWholeCharacter() {
        assertThat(FileNames.local("file:///d/" + "x".repeat(30) + "😀" + "y".repeat(79)))
                .isEqualTo("y".repeat(79));
    }

    @Test
    void aLocalNameIsAlwaysAPlainOne() {
        assertThat(FileNames.local("file:///a/b/c.dat")).isEqualTo("c.dat");
        assertThat(FileNames.local("https://h/a/c%20d#1?.dat")).isEqualTo("c d#1?.dat");
        assertThat(FileNames.local("https://h/a/100%.dat")).isEqualTo("100%.dat");
        assertThat(FileNames.local("https://h/a/%2e%2e%2fetc")).isEqualTo("etc");
        assertThat(FileNames.local("file:///a/..")).isEqualTo("file");
        assertThat(FileNames.local("file:///a/")).isEqualTo("file");
        assertThat(FileNames.local("file:///" + "y".repeat(300) + ".dat"))
                .hasSize(80)
                .endsWith(".dat");
    }

    @Test
    void aLocalNameHasOnlyCharactersThatTheLocaleKnows() {
        assertThat(FileNames.local("https://h/a/ä日😀.dat", StandardCharsets.US_ASCII))
                .isEqualTo("___.dat");
        assertThat(FileNames.local("https://h/a/ä日😀.dat", StandardCharsets.UTF_8))
                .isEqualTo("ä日😀.dat");
    }
}
