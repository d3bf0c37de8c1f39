package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    /** Without what a shell would expand or run: those characters stand for themselves here. */
    private static final String ALPHABET = "ab1 ./-=:,@%+ \t'\"\\{}";

    private static final String END = "\u0001";

    @Test
    void blanksSeparateAndQuotesJoin() {
        assertThat(Arguments.split("  -n 3\t'a b' \"c 'd'\" e\\ f g\"h\"'i' \"\" "))
                .containsExactly("-n", "3", "a b", "c 'd'", "e f", "ghi", "");
    }

    @Test
    void charactersWithAMeaningForAShellAreLiteral() {
        assertThat(Arguments.split("$HOME `id` $(id) * ; rm -rf / | cat > x & # y"))
                .containsExactly(
                        "$HOME", "`id`", "$(id)", "*", ";", "rm", "-rf", "/", "|", "cat", ">", "x", "&", "#", "y");
    }

    @Test
    void theErrorNamesThePositionOfAnUnclosedQuote() {
        assertThatThrownBy(() -> Arguments.split("a 'b")).hasMessageContaining("single quote at character 3");
        assertThatThrownBy(() -> Arguments.split("a \"b\\\"")).hasMessageContaining("double quote");
        assertThatThrownBy(() -> Arguments.split("a\\")).hasMessageContaining("backslash");
    }

    @Test
    void itSplitsLikeTheLocalShell() throws IOException, InterruptedException {
        Random random = new Random(20261121);
        int compared = 0;
        for (int i = 0; i < 300; i++) {
            String text = text(random);
            List<String> words;
            try {
                words = Arguments.split(text);
            } catch (IllegalArgumentException e) {
                continue; // a shell would ask for more
            }
            assertThat(words).as(text).isEqualTo(byShell(text));
            compared++;
        }
        assertThat(compared).isGreaterThan(50);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(14); length > 0; length--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    private static List<String> byShell(String text) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder(
                        "/bin/sh", "-c", "set -- " + text + "\nfor a in \"$@\"; do printf '%s\\001' \"$a\"; done")
                .start();
        String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(text).isZero();
        return printed.isEmpty()
                ? List.of()
                : Arrays.asList(printed.substring(0, printed.length() - 1).split(END, -1));
    }
}
