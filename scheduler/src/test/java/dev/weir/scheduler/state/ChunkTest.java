package dev.weir.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whateverTheFilesTheyComeBackAsTheyWereInAnyOrder(long seed) {
        Random random = new Random(seed);
        List<WaitingFile> entries = new ArrayList<>();
        for (int i = 0; i < random.nextInt(400) + 1; i++) {
            entries.add(new WaitingFile(
                    name(random, i),
                    random.nextBoolean() ? "file:///a" : "https://b/" + random.nextInt(3),
                    random.nextInt(3) == 0 ? "" : "p" + random.nextInt(4),
                    random.nextInt(4) == 0 ? null : Math.abs(random.nextLong() >> random.nextInt(60)),
                    checksum(random),
                    1 + random.nextInt(1000),
                    random.nextBoolean() ? List.of() : List.of("g" + random.nextInt(5), "h")));
        }
        Chunk written = Chunk.of(entries, 77);
        Chunk read = Tables.CHUNK.decode(Tables.CHUNK.encode(written));

        assertThat(read.count()).isEqualTo(entries.size());
        assertThat(read.readAtMillis()).isEqualTo(77);
        for (int i = 0; i < entries.size(); i++) {
            assertThat(written.get(i)).isEqualTo(entries.get(i));
        }
        for (int i = 0; i < 500; i++) {
            int at = random.nextInt(entries.size());
            assertThat(read.get(at)).isEqualTo(entries.get(at));
        }
        read.forEachKey((i, groups, priority) -> {
            assertThat(groups).isEqualTo(entries.get(i).groups());
            assertThat(priority).isEqualTo(entries.get(i).priority());
        });
    }

    private static String name(Random random, int i) {
        return switch (random.nextInt(4)) {
            case 0 -> "run-" + i + ".raw";
            case 1 -> "пробег-\uD83D\uDE00\uD83D\uDE01" + random.nextInt(3) + "é";
            case 2 -> "пробег-\uD83D\uDE00\uD83D\uDE02";
            default -> "x".repeat(random.nextInt(300) + 1);
        };
    }

    private static String checksum(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> null;
            case 1 -> "";
            case 2 -> "sha256:" + "0123456789abcdef".repeat(4);
            case 3 -> "ABCDEF";
            case 4 -> "abc";
            default -> "adler32:00ff00ff";
        };
    }

    @Test
    void aFileWithALongNameAndAChecksumTakesLittle() {
        List<WaitingFile> entries = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 128; i++) {
            String name = String.format(
                    Locale.ROOT, "%s-%012d-%08x.root", "spd-real-data-2026b-physics-".repeat(3), i, random.nextInt());
            StringBuilder checksum = new StringBuilder("sha256:");
            for (int k = 0; k < 8; k++) {
                checksum.append(String.format(Locale.ROOT, "%08x", random.nextInt()));
            }
            entries.add(new WaitingFile(
                    name, "https://store.example.org", "run", 1_000_000L + i, checksum.toString(), 3, List.of()));
        }

        assertThat(Tables.CHUNK.encode(Chunk.of(entries, 0)).length / 128).isLessThan(80);
    }

    @Test
    void anIndexOutsideIsNamed() {
        Chunk chunk = Chunk.of(List.of(new WaitingFile("a", "s", "", null, null, 3, List.of())), 0);

        assertThatThrownBy(() -> chunk.get(1)).hasMessageContaining("1 of 1");
    }
}
