package dev.weir.pilot.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumTest {

    @TempDir
    Path temp;

    @Test
    void knownValuesOfAllAlgorithmsAreFound() throws IOException {
        Path file = Files.writeString(temp.resolve("f"), "Wikipedia");
        assertThat(Checksum.of(file, "adler32").hex()).isEqualTo("11e60398");
        Files.writeString(file, "abc");
        assertThat(Checksum.sha256(file))
                .hasToString("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(Checksum.of(file, "md5").hex()).isEqualTo("900150983cd24fb0d6963f7d28e17f72");
        assertThat(Checksum.of(file, "sha1").hex()).isEqualTo("a9993e364706816aba3e25717850c26c9cd0d89d");
        assertThat(Checksum.of(file, "crc32").hex()).isEqualTo("352441c2");
        assertThat(Checksum.of(file, "sha512").hex()).startsWith("ddaf35a193617abacc417349ae204131");
    }

    @Test
    void bareDigitsTellTheirAlgorithmByTheirLength() {
        assertThat(Checksum.parse("11E60398")).isEqualTo(new Checksum("adler32", "11e60398"));
        assertThat(Checksum.parse("0".repeat(32)).algorithm()).isEqualTo("md5");
        assertThat(Checksum.parse("0".repeat(64)).algorithm()).isEqualTo("sha256");
        assertThat(Checksum.parse("SHA-256:" + "A".repeat(64))).isEqualTo(new Checksum("sha256", "a".repeat(64)));
    }

    @Test
    void whatIsNoChecksumIsRefused() {
        for (String text : List.of("", "xyz", "sha256:12", "crc64:0000000000000000", "0".repeat(31), "g".repeat(64))) {
            assertThatThrownBy(() -> Checksum.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
