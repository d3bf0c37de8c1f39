package dev.weir.job.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Limits;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueAnswers;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However long items are and however many answers there are: each message can be read, and nothing in it is shorter than it came. */
class LongestItemsTest {

    private static final String QUEUE = "q".repeat(128);
    private static final String EMOJI = "\uD83D\uDE00";
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private QueuesOnTheBench queues;
    private long number;

    @BeforeEach
    void makeTheQueue() throws Exception {
        queues = new QueuesOnTheBench();
        queues.ask(new QueueEntry.Configure(++number, QUEUE, QueueSettings.defaults()));
    }

    @AfterEach
    void close() throws Exception {
        assertThat(queues.rejected()).isEmpty();
        queues.close();
    }

    @Test
    void theLongestItemsComeBackFromACheckpointInMessagesThatCanBeRead() throws Exception {
        Payload payload = new Payload("\"" + EMOJI.repeat((QueueLimits.MAX_PAYLOAD_BYTES - 2) / 4) + "aa\"");
        Map<String, Item> pushed = push(40, payload);

        queues = queues.restored();

        assertThat(shownAtOnce()).isPositive();
        assertAllComeBack(pushed);
    }

    @Test
    void manyItemsWithShortPayloadsAndLongNamesComeInMessagesThatCanBeRead() throws Exception {
        assertAllComeBack(push(QueueLimits.MAX_ITEMS, new Payload("1")));
    }

    @Test
    void anItemIsShownWithTheLongestErrorAndResult() throws Exception {
        Payload payload = new Payload("\"" + EMOJI.repeat((QueueLimits.MAX_PAYLOAD_BYTES - 2) / 4) + "aa\"");
        Item item = push(1, payload).values().iterator().next();
        String error = EMOJI.repeat(Limits.MAX_SENTENCE_LENGTH / 2);
        end(popped().get(0), End.FAILED, null, error);
        queues.pass(11_000);
        LeasedItem again = popped().get(0);
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(queues.ask(new Show(++number, QUEUE, item.key(), QueueLimits.MAX_WAIT_MILLIS)))
                .isEmpty();
        queues = queues.restored();
        queues.ask(new Show(++number, QUEUE, item.key(), QueueLimits.MAX_WAIT_MILLIS));
        ShownItem shown = end(again, End.FINISHED, payload, null).stream()
                .flatMap(answers -> answers.answers().stream())
                .filter(answer -> answer.shown() != null)
                .findFirst()
                .orElseThrow()
                .shown()
                .get(0);

        assertThat(shown.state()).isEqualTo(ShownItem.State.FINISHED);
        assertThat(shown.error()).isEqualTo(error);
        assertThat(shown.result()).isEqualTo(payload);
        assertThat(shown.payload()).isEqualTo(payload);
        assertThat(shown.groups()).isEqualTo(item.groups());
        assertThat(shown.expiresAt()).isEqualTo(LAST);
    }

    @Test
    void aGatewayGetsMoreAnswersThanAMessageMayHaveInSeveral() throws Exception {
        int count = QueueLimits.MAX_ENTRIES + 1;
        queues.ask(new QueueEntry.QueueAction(++number, QUEUE, QueueEntry.Action.PAUSE));
        for (int i = 0; i < count; i++) {
            queues.ask(new Push(
                    ++number, QUEUE, new Item("key-" + i, null, null, null, null, null, null, null, null, null, null)));
            assertThat(queues.ask(new Pop(++number, QUEUE, List.of(), 1, QueueLimits.MAX_WAIT_MILLIS)))
                    .isEmpty();
        }

        List<QueueAnswers> messages = queues.ask(new QueueEntry.QueueAction(++number, QUEUE, QueueEntry.Action.RESUME));

        assertThat(messages).hasSizeGreaterThan(1);
        assertThat(messages.stream()
                        .flatMap(message -> message.answers().stream())
                        .filter(answer -> answer.items() != null)
                        .map(answer -> answer.items().get(0).key())
                        .distinct())
                .hasSize(count);
    }

    private int shownAtOnce() throws Exception {
        return queues.askOne(new QueueEntry.Peek(++number, QUEUE, QueueLimits.MAX_ITEMS, null, null, null))
                .shown()
                .size();
    }

    private Map<String, Item> push(int count, Payload payload) throws Exception {
        List<String> groups = IntStream.range(0, Limits.MAX_GROUPS)
                .mapToObj(i -> i + EMOJI.repeat((Limits.MAX_GROUP_LENGTH - 2) / 2))
                .toList();
        Map<String, Item> pushed = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String key = "%04d".formatted(i) + EMOJI.repeat(85);
            Item item = new Item(
                    key,
                    "k".repeat(128),
                    "o".repeat(128),
                    QueueLimits.WORST_PRIORITY,
                    payload,
                    groups,
                    null,
                    LAST,
                    null,
                    null,
                    null);
            pushed.put(key, item);
            assertThat(queues.askOne(new Push(++number, QUEUE, item)).status()).isEqualTo(Status.CREATED);
        }
        return pushed;
    }

    private void assertAllComeBack(Map<String, Item> pushed) throws Exception {
        Map<String, LeasedItem> leased = new HashMap<>();
        while (leased.size() < pushed.size()) {
            List<LeasedItem> items = popped();
            assertThat(items).isNotEmpty();
            items.forEach(item -> leased.put(item.key(), item));
        }
        queues = queues.restored();
        for (LeasedItem item : leased.values()) {
            Item was = pushed.get(item.key());
            assertThat(List.of(item.kind(), item.owner(), item.priority(), item.payload(), item.groups()))
                    .isEqualTo(List.of(was.kind(), was.owner(), was.priority(), was.payload(), was.groups()));
            assertThat(end(item, End.FINISHED, null, null)
                            .get(0)
                            .answers()
                            .get(0)
                            .status())
                    .isEqualTo(Status.OK);
        }
    }

    private List<LeasedItem> popped() throws Exception {
        return queues.askOne(new Pop(++number, QUEUE, List.of(), QueueLimits.MAX_ITEMS, 0))
                .items();
    }

    private List<QueueAnswers> end(LeasedItem item, End end, Payload result, String error) throws Exception {
        return queues.ask(new Done(++number, item.token(), end, result, error, null, null, null, null, null));
    }
}
