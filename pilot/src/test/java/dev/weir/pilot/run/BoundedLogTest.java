package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class BoundedLogTest {

    @TempDir
    Path temp;

    @Test
    void aShortLogIsKeptWhole() throws IOException {
        for (int length : new int[] {0, 1, 512, 1023, 1024}) {
            byte[] text = text(length);
            assertThat(written(text, 100)).as("%d bytes", length).isEqualTo(text);
        }
    }

    @Test
    void aLongLogKeepsItsBeginningAndItsEndAndSaysWhatIsMissing() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            byte[] text = text(1025 + random.nextInt(5000));
            String kept = new String(written(text, 1 + random.nextInt(3000)), StandardCharsets.ISO_8859_1);
            String whole = new String(text, StandardCharsets.ISO_8859_1);
            assertThat(kept)
                    .startsWith(whole.substring(0, 512))
                    .contains("[weir: " + (whole.length() - 1024) + " bytes left out here")
                    .endsWith("]\n" + whole.substring(whole.length() - 512));
        }
    }

    @Test
    void whatIsWrittenAfterALookAtItFollows() throws IOException {
        try (BoundedLog log = new BoundedLog(temp.resolve("log"), 1024)) {
            log.line("one");
            log.writeTo(new ByteArrayOutputStream());
            log.line("two");
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            log.writeTo(written);
            assertThat(written).hasToString("one\ntwo\n");
        }
    }

    @Test
    void aFileIsAppendedAsIfItWasWritten() throws IOException {
        for (int length : new int[] {0, 500, 1021, 1022, 1023, 1600, 5000}) {
            byte[] text = text(length);
            Path file = Files.write(temp.resolve("own"), text);
            assertThat(appended(file))
                    .isEqualTo(written(
                            ("a\n" + new String(text, StandardCharsets.ISO_8859_1))
                                    .getBytes(StandardCharsets.ISO_8859_1),
                            100));
        }
    }

    /** Nobody reads a tebibyte within the time of this test. */
    @Test
    @Timeout(30)
    void ofAFileThatIsFarTooLongOnlyWhatIsKeptIsRead() throws IOException {
        Path file = Files.writeString(temp.resolve("own"), "begun");
        try (RandomAccessFile end = new RandomAccessFile(file.toFile(), "rw")) {
            end.seek(1L << 40);
            end.writeBytes("ended");
        }
        assertThat(new String(appended(file), StandardCharsets.ISO_8859_1))
                .startsWith("a\nbegun")
                .contains("[weir: " + ((1L << 40) + 7 - 1024) + " bytes left out here")
                .endsWith("ended");
    }

    private byte[] appended(Path file) throws IOException {
        Path path = temp.resolve("log");
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (BoundedLog log = new BoundedLog(path, 1024);
                SeekableByteChannel in = Files.newByteChannel(file)) {
            log.line("a");
            log.append(in);
            log.writeTo(written);
        }
        Files.delete(path);
        return written.toByteArray();
    }

    private byte[] written(byte[] text, int step) throws IOException {
        Path file = temp.resolve("log");
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (BoundedLog log = new BoundedLog(file, 1024)) {
            for (int at = 0; at < text.length; at += step) {
                log.write(text, at, Math.min(step, text.length - at));
            }
            log.writeTo(written);
        }
        Files.delete(file);
        return written.toByteArray();
    }

    private static byte[] text(int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) ('!' + i % 90);
        }
        return text;
    }
}
