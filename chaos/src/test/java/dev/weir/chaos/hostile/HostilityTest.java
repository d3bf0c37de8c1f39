package dev.weir.chaos.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.protocol.Command;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.NewTask;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Report;
import dev.weir.protocol.Task;
import dev.weir.protocol.queue.QueueMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostilityTest {

    private static final int MANY = 6_000;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private static List<BadMessage> messages(long seed, int count) {
        Hostility hostility = new Hostility(seed, BEGIN, new Replays());
        List<BadMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(hostility.next());
        }
        return messages;
    }

    /** As Weir reads it before anything else. */
    private static Throwable refusal(Door door, byte[] body) {
        return catchThrowable(() -> {
            switch (door) {
                case TASKS -> NewTask.check(Json.read(body, Task.class));
                case COMMANDS -> Json.read(body, Command.class);
                case REPORTS -> Json.read(body, Report.class);
                case PAGES -> Json.read(body, PageRequest.class);
                case ITEMS, DONE, ASKS -> Json.read(body, QueueMessage.class);
            }
        });
    }

    @Test
    void everyBodyIsReadOrRefusedWithAReasonAndThoseThatMustBeRefusedAre() {
        Map<Spoiling, Integer> refused = new EnumMap<>(Spoiling.class);
        for (BadMessage message : messages(1, MANY)) {
            Throwable refusal = refusal(message.door(), message.body());
            String what = message.door() + " " + message.spoiling() + " "
                    + new String(message.body(), 0, Math.min(400, message.body().length), StandardCharsets.UTF_8);
            if (message.mustBeRejected() || refusal != null) {
                assertThat(refusal).as(what).isInstanceOf(InvalidMessage.class);
                assertThat(refusal.getMessage()).as(what).isNotBlank();
                refused.merge(message.spoiling(), 1, Integer::sum);
            }
        }
        assertThat(refused).containsOnlyKeys(Spoiling.values());
    }

    @Test
    void whatIsNotSpoiltIsRight() {
        Templates templates = new Templates(new Random(3), BEGIN);
        for (int i = 0; i < MANY; i++) {
            for (Door door : Door.values()) {
                byte[] body = door.whole(templates.next(door).toString().getBytes(StandardCharsets.UTF_8));
                assertThat(refusal(door, body))
                        .as(new String(body, StandardCharsets.UTF_8))
                        .isNull();
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameMessagesAndAnotherSeedOthers() {
        List<String> first = texts(7);

        assertThat(texts(7)).isEqualTo(first);
        assertThat(texts(8)).isNotEqualTo(first);
    }

    /** Without replays, which depend on what others have sent. */
    private static List<String> texts(long seed) {
        return messages(seed, 500).stream()
                .filter(message -> message.spoiling() != Spoiling.REPLAY && message.spoiling() != Spoiling.GARBAGE)
                .map(message -> new String(message.body(), StandardCharsets.ISO_8859_1))
                .toList();
    }
}
