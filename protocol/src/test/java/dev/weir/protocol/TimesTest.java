package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TimesTest {

    private static final List<String> FORMS = List.of(
            "2030-01-02T03:04:05Z",
            "2030-01-02T03:04:05.678901234+02:00",
            "2028-02-29T23:59:59.9-11:30",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999Z",
            "2030-01-02T03:04Z",
            "2030-01-02T03:04:05.1234567890Z",
            "2030-01-02T23:59:60Z",
            "2030-06-30T23:59:60Z",
            "2030-01-02T24:00:00Z",
            "2030-01-02T03:04:05+18:00",
            "2030-01-02T03:04:05+18:01",
            "2030-01-02T03:04:05-00:00",
            "2030-01-02T03:04:05+02",
            "2030-01-02T03:04:05+02:00:01",
            "2030-01-02T03:04:05",
            "2030-01-02T03:04:05.Z",
            "2030-01-02 03:04:05Z",
            "2030-01-02t03:04:05z",
            "+12030-01-02T03:04:05Z",
            "-0001-01-02T03:04:05Z",
            "2030-02-30T03:04:05Z",
            "2030-01-02T03:04:05Z ",
            "2030-01-02T03:04:05[Europe/Paris]",
            "");

    private static final String LETTERS = "0123456789-+:.,TtZz \u0660\u00e9";

    @Test
    void aTimeIsReadAsJavaReadsIt() {
        assertThat(FORMS).allSatisfy(TimesTest::isReadAsJavaReadsIt);
    }

    @Test
    void aChangedTimeIsReadAsJavaReadsItOrRefused() {
        Random random = new Random(7);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder(FORMS.get(random.nextInt(FORMS.size())));
            for (int changes = random.nextInt(3); changes >= 0 && text.length() > 1; changes--) {
                int at = random.nextInt(text.length());
                char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, letter);
                    case 1 -> text.insert(at, letter);
                    default -> text.deleteCharAt(at);
                }
            }
            isReadAsJavaReadsIt(text.toString());
        }
    }

    private static void isReadAsJavaReadsIt(String text) {
        assertThat(read(Times::parse, text))
                .as(text)
                .isEqualTo(read(time -> OffsetDateTime.parse(time).toInstant(), text));
    }

    private static Optional<Instant> read(Function<String, Instant> parser, String text) {
        try {
            return Optional.of(parser.apply(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
