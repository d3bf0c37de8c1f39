package dev.weir.placement.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeaHashTest {

    @ParameterizedTest
    @CsvSource({"'', c920ca43256fdcb9", "a, 29c401b26a16e94d", "hello, 022075651d746789"})
    void theReferenceVectorsHold(String text, String expected) {
        assertThat(String.format("%016x", SeaHash.hash(text.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(expected);
    }

    @Test
    void aPartOfAnArrayHashesLikeACopyOfIt() {
        byte[] bytes = new byte[100];
        new Random(1).nextBytes(bytes);

        for (int length = 0; length < 60; length++) {
            byte[] copy = Arrays.copyOfRange(bytes, 7, 7 + length);
            assertThat(SeaHash.hash(bytes, 7, length)).isEqualTo(SeaHash.hash(copy));
        }
    }

    @Test
    void aNumberedHashIsTheHashOfTheNameAColonAndTheNumberForEveryLengthOfName() {
        Random random = new Random(2);
        NumberedHash numbered = new NumberedHash();
        for (int length = 0; length < 100; length++) {
            byte[] name = new byte[length];
            random.nextBytes(name);
            numbered.load(name, 0, length);
            for (int number : new int[] {0, 1, 255, 256, 5_999, 65_535}) {
                ByteArrayOutputStream whole = new ByteArrayOutputStream();
                whole.writeBytes(name);
                whole.write(':');
                whole.write(number & 0xff);
                whole.write(number >>> 8);
                assertThat(numbered.hash(number))
                        .as("length %d, number %d", length, number)
                        .isEqualTo(SeaHash.hash(whole.toByteArray()));
            }
        }
    }
}
