package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlainMessageTest {

    private final Random random = new Random(7);

    private String text() {
        // Now and then something that must be escaped or is no ASCII.
        String strange = "\"\\/\n\u007f\u00e9\u0141\ud83d\ude00";
        StringBuilder text = new StringBuilder("https://store.example.org/a~b c-");
        for (int i = random.nextInt(200); i > 0; i--) {
            text.append((char) ('!' + random.nextInt(94)));
        }
        if (random.nextInt(3) > 0) {
            return text.toString().replace('"', '_').replace('\\', '_');
        }
        int from = random.nextInt(strange.length());
        return text.append(strange, from, from + 1).toString();
    }

    private String maybe(String text) {
        return random.nextInt(3) == 0 ? null : text;
    }

    private Long maybe(long number) {
        return random.nextInt(3) == 0 ? null : number;
    }

    private Job job() {
        Mode mode = random.nextInt(4) == 0 ? Mode.MERGE : Mode.MAP;
        return new Job(
                "task-1." + random.nextInt() + ".ab",
                text(),
                random.nextBoolean() ? "" : text(),
                random.nextInt(3) == 0 ? random.nextDouble() * 1e-5 : 1.0 + random.nextInt(100),
                random.nextBoolean() ? DeviceType.CPU : DeviceType.GPU,
                mode,
                "task-1",
                maybe(random.nextLong() >>> 1),
                mode == Mode.MAP ? text() : null,
                mode == Mode.MAP ? List.of() : List.of(text(), text()),
                maybe(random.nextInt(1 << 30)),
                maybe(text()),
                text(),
                text(),
                1 + random.nextInt(9),
                "0/" + random.nextInt(1000) + "/task-1",
                60,
                1 + random.nextInt(86_400));
    }

    private Registration registration() {
        return switch (random.nextInt(5)) {
            case 0 -> new Registration.Close("t/close/1", "out-1", List.of(text(), text()), 1, 2);
            case 1, 2 -> new Registration.Log(text(), "out-1", text(), text(), maybe(7), maybe(text()), "job-1");
            default ->
                new Registration.File(text(), "out-1", text(), text(), maybe(Long.MAX_VALUE), maybe(text()), "job-1");
        };
    }

    @Test
    void whatItWritesIsWhatTheGeneralWriterWrites() {
        int plain = 0;
        for (int i = 0; i < 20_000; i++) {
            Object message = random.nextBoolean() ? job() : registration();
            byte[] written = PlainMessage.write(message);
            if (written != null) {
                plain++;
                assertThat(written).as("%s", message).isEqualTo(Json.writeAny(message));
            }
            assertThat(Json.write(message)).isEqualTo(Json.writeAny(message));
        }
        assertThat(plain).isBetween(2_000, 19_000);
    }

    @Test
    void otherMessagesAreLeftToTheGeneralWriter() {
        assertThat(PlainMessage.write(new Route(0, 1, "t"))).isNull();
    }
}
