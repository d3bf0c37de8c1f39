package dev.weir.placement.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputFilesTest {

    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("input"), content);
    }

    private static byte[] gzip(String content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @Test
    void workersAreReadInOrderWithTheConfiguredCapacityWhereTheyHaveNone() throws Exception {
        Path config = Files.writeString(directory.resolve("c.yaml"), "worker_capacity: 500\n");
        Path workers = file("""
                {"id":"a","capacity":10,"status":"online","version":"1.2"}

                {"status":"unreliable","id":"b"}
                {"id":"c","capacity":0,"status":"offline"}""");

        assertThat(WorkersFile.read(workers, FileConfig.read(config)))
                .containsExactly(
                        new Worker("a", 10, WorkerStatus.ONLINE),
                        new Worker("b", 500, WorkerStatus.UNRELIABLE),
                        new Worker("c", 0, WorkerStatus.OFFLINE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void chunksAreReadPlainOrGzipWithWeightsFromTheLineTheDatasetOrOne(boolean gzip) throws Exception {
        Path config = Files.writeString(directory.resolve("c.yaml"), "weights: {b: 6}\n");
        String lines = """
                {"dataset":"b","id":"2","size":20,"weight":3}
                {"dataset":"b","id":"1","size":10,"extra":{"deep":[1,2]}}
                {"dataset":"a","id":"ü","size":30}
                """;
        Path file =
                Files.write(directory.resolve("chunks"), gzip ? gzip(lines) : lines.getBytes(StandardCharsets.UTF_8));

        Chunks chunks = ChunksFile.read(file, FileConfig.read(config));

        assertThat(chunks.count()).isEqualTo(3);
        assertThat(List.of(chunks.name(0), chunks.name(1), chunks.name(2))).containsExactly("a/ü", "b/1", "b/2");
        assertThat(List.of(chunks.weight(0), chunks.weight(1), chunks.weight(2)))
                .containsExactly(1, 6, 3);
        assertThat(List.of(chunks.sizeBytes(0), chunks.sizeBytes(1), chunks.sizeBytes(2)))
                .containsExactly(30L, 10L, 20L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nonsense | not JSON",
                "[1] | a JSON object is expected",
                "{\"dataset\":\"a\",\"id\":\"b\" | not JSON",
                "{\"dataset\":\"a\",\"id\":\"b\"} | size is missing",
                "{\"dataset\":\"a\",\"size\":1} | id is missing",
                "{\"id\":\"b\",\"size\":1} | dataset is missing",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1.5} | size must be a whole number",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":\"1\"} | size must be a whole number",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":-1} | size is -1",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":99999999999999999999} | size is too large",
                "{\"dataset\":7,\"id\":\"b\",\"size\":1} | dataset must be a string",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1,\"weight\":0} | weight is 0",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1,\"weight\":4294967297} | weight is 4294967297",
                "{\"dataset\":\"a\",\"id\":\"x\\ud800\",\"size\":1} | id has half a surrogate pair at 1",
                "{\"dataset\":\"\\udc00\\ud800\",\"id\":\"x\",\"size\":1} | dataset has half a surrogate pair at 0",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1,\"size\":2} | not JSON: Duplicate",
                "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1} {} | something follows the JSON object"
            })
    void aBadLineIsAnErrorWithFileLineAndReason(String line, String reason) throws IOException {
        Path file = file("{\"dataset\":\"ok\",\"id\":\"1\",\"size\":1}\n\n" + line + "\n");

        assertThatThrownBy(() -> ChunksFile.read(file, FileConfig.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file + ":3: " + reason);
    }

    @Test
    void manyBadLinesAreListedUpToTwentyAndCountedBeyond() throws IOException {
        Path file = file("{}\n".repeat(50));

        assertThatThrownBy(() -> WorkersFile.read(file, FileConfig.DEFAULT))
                .hasMessageContaining(file + ":1: id is missing")
                .hasMessageContaining(file + ":20: ")
                .hasMessageEndingWith("and 30 more bad lines");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"id\":\"a\",\"status\":\"online\"} | worker 'a' has no capacity",
                "{\"id\":\"a\",\"capacity\":1,\"status\":\"gone\"} | status is 'gone'",
                "{\"id\":\"a\",\"capacity\":1} | status is missing",
                "{\"id\":\"\",\"capacity\":1,\"status\":\"online\"} | a worker's id must not be empty",
                "{\"id\":\"a\",\"capacity\":-1,\"status\":\"online\"} | capacity of worker 'a' is -1"
            })
    void aBadWorkerIsAnErrorWithFileLineAndReason(String line, String reason) throws IOException {
        Path file = file(line + "\n");

        assertThatThrownBy(() -> WorkersFile.read(file, FileConfig.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file + ":1: " + reason);
    }

    @Test
    void aWorkerThatIsThereTwiceIsToldWithBothLines() throws IOException {
        Path file = file("{\"id\":\"a\",\"capacity\":1,\"status\":\"online\"}\n".repeat(2));

        assertThatThrownBy(() -> WorkersFile.read(file, FileConfig.DEFAULT))
                .hasMessageContaining(file + ":2: worker 'a' is on line 1 already");
    }

    @Test
    void aWorkerThatIsThereTwiceInDifferentLettersOfOneEncodingIsRefused() throws Exception {
        FileConfig hex = FileConfig.read(Files.writeString(directory.resolve("c.yaml"), "id_encoding: hex\n"));
        Path file = file("{\"id\":\"ab\",\"capacity\":1,\"status\":\"online\"}\n"
                + "{\"id\":\"AB\",\"capacity\":1,\"status\":\"online\"}\n");

        assertThatThrownBy(() -> WorkersFile.read(file, hex)).hasMessage(file + ":2: worker 'AB' is on line 1 already");
    }

    @Test
    void anIdThatIsNotInItsEncodingIsNamed() throws Exception {
        FileConfig hex = FileConfig.read(Files.writeString(directory.resolve("c.yaml"), "id_encoding: hex\n"));
        Path file = file("{\"id\":\"abc\",\"capacity\":1,\"status\":\"online\"}\n");

        assertThatThrownBy(() -> WorkersFile.read(file, hex))
                .hasMessageContaining(file + ":1: the id of worker 'abc' is not hex: ");
    }

    @Test
    void aWorkersIdHasALimitedLengthSinceDecodingTakesTimeWithItsSquare() throws Exception {
        FileConfig base58 = FileConfig.read(Files.writeString(directory.resolve("c.yaml"), "id_encoding: base58\n"));
        Path file = file("{\"id\":\"" + "z".repeat(1_000_000) + "\",\"capacity\":1,\"status\":\"online\"}\n");

        assertThatThrownBy(() -> WorkersFile.read(file, base58))
                .hasMessageContaining(":1: a worker's id has 1000000 characters; at most 4096 are allowed");
    }

    @Test
    void aChunkThatIsThereTwiceIsToldWithBothLinesThoughBlankOnesLieBetween() throws IOException {
        String chunk = "{\"dataset\":\"a\",\"id\":\"b\",\"size\":1}\n";
        Path file = file("\n" + chunk + "\n\n{\"dataset\":\"c\",\"id\":\"d\",\"size\":1}\n" + chunk);

        assertThatThrownBy(() -> ChunksFile.read(file, FileConfig.DEFAULT))
                .hasMessage(file + ":6: chunk 'a/b' is there twice, first on line 2");
    }

    @Test
    void aLineThatIsTooLongIsRefusedAndTheNextOneStillRead() throws IOException {
        Path file = file("{\"dataset\":\"" + "x".repeat(3_000_000) + "\"}\n[]\n");

        assertThatThrownBy(() -> ChunksFile.read(file, FileConfig.DEFAULT))
                .hasMessageContaining(":1: the line is longer than 1048576 bytes")
                .hasMessageContaining(":2: a JSON object is expected");
    }

    @Test
    void gzipDataThatIsCutOffIsRefused() throws IOException {
        Random random = new Random(40);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            lines.append("{\"dataset\":\"d\",\"id\":\"" + random.nextLong() + "\",\"size\":1}\n");
        }
        byte[] whole = gzip(lines.toString());
        Path file = Files.write(directory.resolve("c.gz"), Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> ChunksFile.read(file, FileConfig.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("damaged or cut off");
    }

    @Test
    void gzipDataOfSeveralMembersAreReadToTheEndAndADamagedOneIsNotTakenForIt() throws Exception {
        byte[] one = gzip("{\"dataset\":\"d\",\"id\":\"1\",\"size\":1}\n");
        byte[] other = gzip("{\"dataset\":\"d\",\"id\":\"2\",\"size\":1}\n");
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        Path file = Files.write(directory.resolve("c.gz"), both);
        assertThat(ChunksFile.read(file, FileConfig.DEFAULT).count()).isEqualTo(2);

        both[one.length] = 0;
        Files.write(file, both);

        assertThatThrownBy(() -> ChunksFile.read(file, FileConfig.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessage(file + ":2: the gzip data is damaged or cut off: what follows is not gzip");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> ChunksFile.read(directory.resolve("none"), FileConfig.DEFAULT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("none: can't be read: there is no such file");
    }

    @Test
    void everyKeyOfTheConfigurationIsRead() throws Exception {
        FileConfig config = FileConfig.read(file("""
                        order: tag
                        mode: full
                        rings: 100
                        saturation: 0.5
                        min_replication: 3
                        worker_capacity: 1000
                        id_encoding: base58
                        weights:
                          s3://a: 6
                        """));

        assertThat(config.placement())
                .isEqualTo(new PlacementConfig(Order.TAG, Mode.FULL, 100, 0.5, 3, IdEncoding.BASE58));
        assertThat(config.workerCapacity()).hasValue(1000);
        assertThat(config.weight("s3://a")).isEqualTo(6);
        assertThat(config.weight("other")).isEqualTo(1);
    }

    @Test
    void anEmptyConfigurationIsTheDefaultOne() throws Exception {
        assertThat(FileConfig.read(file("# nothing\n"))).isEqualTo(FileConfig.DEFAULT);
    }

    @Test
    void aKeyThatIsThereTwiceIsRefusedWithItsLine() throws IOException {
        Path file = file("order: tag\nrings: 3\nrings: 4\n");

        assertThatThrownBy(() -> FileConfig.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file + ":3: ")
                .hasMessageContaining("Duplicate field 'rings'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ordr: tag | unknown key 'ordr'; there are: order,",
                "order: random | order is \"random\"; it must be one of chunk, tag",
                "rings: 0 | rings is 0; it must be a whole number from 1 to 65536",
                "rings: many | rings is \"many\"",
                "saturation: 1.5 | saturation is 1.5",
                "saturation: high | saturation is \"high\"; it must be a number",
                "min_replication: 70000 | min_replication is 70000",
                "weights: 3 | weights must be a mapping",
                "weights: {a: 0} | weights: a is 0; it must be a whole number from 1 to 65535",
                "'a: b: c' | not YAML",
                "[1] | a mapping of keys to values is expected"
            })
    void aBadConfigurationIsRefusedWithItsReason(String content, String reason) throws IOException {
        Path file = file(content.replace("'", "") + "\n");

        assertThatThrownBy(() -> FileConfig.read(file))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(reason);
    }
}
