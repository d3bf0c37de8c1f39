package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainReportTest {

    private static final Instant TIME = Instant.parse("2026-11-21T20:15:30.123Z");

    private static List<Report> usual() {
        List<Report> usual = new ArrayList<>();
        for (Status.Phase phase : Status.Phase.values()) {
            usual.add(new Status("pilot-1", "cpu", TIME, "task-7.12.0123456789abcdef", 1, "0/12/task-7", phase));
            usual.add(new Status("pilot-1", "cpu", null, "j", 3, null, phase));
        }
        for (Result.Outcome outcome : Result.Outcome.values()) {
            usual.add(result(outcome, null));
            for (ErrorType error : ErrorType.values()) {
                usual.add(result(outcome, error));
            }
        }
        return usual;
    }

    private static Result result(Result.Outcome outcome, ErrorType error) {
        boolean good = error == null;
        return new Result(
                "pilot-1",
                "gpu",
                good ? null : TIME,
                "task-7.12.0123456789abcdef",
                2,
                "0/12/task-7",
                outcome,
                good ? Integer.valueOf(0) : error == ErrorType.KILLED ? null : Integer.valueOf(-9),
                error,
                good ? null : "exit status " + error,
                good ? "https://store.example.org/out/a.out" : null,
                good ? 1L << 40 : null,
                good ? "sha256:00ff" : null,
                "https://store.example.org/out/a.log",
                10L,
                null,
                TIME,
                TIME.plusSeconds(5));
    }

    @Test
    void theReportsThatPilotsSendArePlain() {
        for (Report report : usual()) {
            assertThat(PlainReport.read(Json.write(report))).isEqualTo(report);
        }
    }

    @Test
    void spacesNullsAndAnotherOrderArePlainToo() {
        Report read = PlainReport.read(
                ("  { \"attempt\" : 2 ,\n\"status\":\"running\", \"sent_at\": null, \"pool\":\"cpu\",\t"
                                + "\"job_uid\":\"j\", \"type\":\"status\", \"pilot_id\":\"p\" } ")
                        .getBytes(StandardCharsets.US_ASCII));

        assertThat(read).isEqualTo(new Status("p", "cpu", null, "j", 2, null, Status.Phase.RUNNING));
    }

    @Test
    void whatItReadsTheGeneralReaderReadsAsTheSameHoweverTheBytesAreChanged() {
        Random random = new Random(11);
        List<Report> usual = usual();
        String junk = "{}[]:,\"\\ -+.e0159nulltruefalse\u00e9\t\0";
        int plain = 0;
        for (int i = 0; i < 60_000; i++) {
            StringBuilder text = new StringBuilder(
                    new String(Json.write(usual.get(random.nextInt(usual.size()))), StandardCharsets.UTF_8));
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                int from = random.nextInt(text.length());
                switch (random.nextInt(4)) {
                    case 0 -> text.setCharAt(from, junk.charAt(random.nextInt(junk.length())));
                    case 1 -> text.insert(from, junk.charAt(random.nextInt(junk.length())));
                    case 2 -> text.delete(from, Math.min(text.length(), from + 1 + random.nextInt(12)));
                    default -> {
                        // A piece of it again somewhere: fields twice, numbers in place of texts.
                        String piece = text.substring(from, Math.min(text.length(), from + random.nextInt(40)));
                        text.insert(random.nextInt(text.length() + 1), piece);
                    }
                }
                if (text.length() == 0) {
                    text.append('{');
                }
            }
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            Report read = PlainReport.read(body);
            if (read != null) {
                plain++;
                assertThat(Json.readAny(body, Report.class)).as("%s", text).isEqualTo(read);
            }
        }
        assertThat(plain).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"attempt\":1,\"attempt\":1",
                "\"attempt\":01",
                "\"attempt\":-0",
                "\"attempt\":1.0",
                "\"attempt\":1e0",
                "\"attempt\":\"1\"",
                "\"attempt\":2147483648",
                "\"attempt\":0",
                "\"attempt\":nul",
                "\"attempt\":1,\"sent_at\":1700000000",
                "\"attempt\":1,\"sent_at\":\"yesterday\"",
                "\"attempt\":1,\"more\":1",
                "\"attempt\":1,\"route\":\"\\u0041\"",
                "\"attempt\":1,\"route\":\"\u00e9\"",
                "\"attempt\":1,"
            })
    void anythingElseIsLeftToTheGeneralReader(String part) {
        String text =
                "{\"type\":\"status\",\"pilot_id\":\"p\",\"pool\":\"cpu\",\"job_uid\":\"j\",\"status\":\"running\","
                        + part + "}";

        assertThat(PlainReport.read(text.getBytes(StandardCharsets.UTF_8))).isNull();
    }
}
