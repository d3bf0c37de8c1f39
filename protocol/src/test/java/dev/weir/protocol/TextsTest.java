package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextsTest {

    private final Random random = new Random(3);

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            text.append("a\"\\\n\u0001é日😀"
                    .codePoints()
                    .skip(random.nextInt(8))
                    .limit(1)
                    .mapToObj(Character::toString)
                    .findFirst()
                    .orElseThrow());
        }
        return text.toString();
    }

    @Test
    void aCutTextHasTheMaximumLengthAndOnlyWholeCharacters() {
        for (int i = 0; i < 5_000; i++) {
            String text = text();
            int from = text.isEmpty()
                    ? 0
                    : text.offsetByCodePoints(0, random.nextInt(text.codePointCount(0, text.length())));
            int max = random.nextInt(60);
            int end = Texts.endWithin(text, from, text.length(), max);
            String kept = text.substring(from, end);

            assertThat(bytes(kept)).isLessThanOrEqualTo(max);
            assertThat(new String(kept.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(kept);
            if (end < text.length()) {
                String more = text.substring(from, text.offsetByCodePoints(end, 1));
                assertThat(bytes(more)).isGreaterThan(max);
            }
        }
    }

    @Test
    void theFirstAndTheLastCharactersSplitNoPair() {
        assertThat(Texts.first("ab😀", 3)).isEqualTo("ab");
        assertThat(Texts.first("ab😀", 4)).isEqualTo("ab😀");
        assertThat(Texts.last("😀ab", 3)).isEqualTo("ab");
        assertThat(Texts.last("😀ab", 4)).isEqualTo("😀ab");
    }

    @Test
    void theEndsOfALongTextAreItsFirstAndItsLastCharacters() {
        assertThat(Texts.ends("abcdef", 6)).isEqualTo("abcdef");
        assertThat(Texts.ends("abcdefg", 6)).isEqualTo("ab…efg");
        assertThat(Texts.ends("a😀bc😀d", 6)).isEqualTo("a…😀d");
    }

    @Test
    void aTextIsWholeWithoutHalfASurrogatePair() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(Texts.isWhole(text())).isTrue();
        }
        for (String broken :
                new String[] {"\ud800", "a\ud800", "\ud800a", "\udc00", "\udc00\ud800", "😀\udc00", "\ud800😀"}) {
            assertThat(Texts.isWhole(broken)).isFalse();
        }
    }

    @Test
    void theLengthInJsonIsThatOfTheWriter() {
        for (int i = 0; i < 2_000; i++) {
            String text = text();
            // The writer shortens a new line to two bytes, and we count six.
            long spared = text.chars().filter(c -> c == '\n').count() * 4;
            assertThat(Texts.jsonBytes(text) - spared).isEqualTo(Json.write(text).length - 2);
        }
    }

    @Test
    void whetherATextFitsIsKnownToTheByte() {
        for (int i = 0; i < 2_000; i++) {
            String text = text();
            int from = text.length() / 3;
            int needed = (int) Texts.jsonBytes(text.substring(from));
            assertThat(Texts.fitsJson(text, from, needed)).isTrue();
            assertThat(needed > 0 && Texts.fitsJson(text, from, needed - 1)).isFalse();
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
