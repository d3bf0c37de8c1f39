package dev.weir.job.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueView;
import dev.weir.testing.ScratchBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queues job on a MiniCluster, asked over the broker. */
class QueuesEndToEndTest {

    private static final String Q = "scans";

    @TempDir
    Path directory;

    private Deployment weir;
    private FakeGateway gateway;

    @BeforeEach
    void start() throws Exception {
        weir = new Deployment(ScratchBroker.create(), new FakeDsm(), directory).startQueues();
        gateway = new FakeGateway(weir);
        assertThat(gateway.ask(n -> new QueueEntry.Configure(n, Q, null)).status())
                .isEqualTo(Status.OK);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        weir.close();
    }

    private static LongFunction<QueueEntry> push(String key, int priority) {
        Item item = Json.read(
                "{\"key\":\"%s\",\"priority\":%d}".formatted(key, priority).getBytes(StandardCharsets.UTF_8),
                Item.class);
        return n -> new QueueEntry.Push(n, Q, item);
    }

    private CompletableFuture<QueueAnswer> pop(int most, int waitMillis) throws Exception {
        return gateway.send(n -> new QueueEntry.Pop(n, Q, List.of(), most, waitMillis));
    }

    private Status done(LeasedItem item) throws Exception {
        return gateway.ask(n -> new QueueEntry.Done(
                        n, item.token(), QueueEntry.End.FINISHED, null, null, null, null, null, null, null))
                .status();
    }

    private QueueView view() throws Exception {
        return gateway.ask(n -> new QueueEntry.Overview(n, Q)).queues().get(0);
    }

    private void pushMany(int count) throws Exception {
        List<LongFunction<QueueEntry>> pushes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pushes.add(push("item-" + i, 3));
        }
        for (CompletableFuture<QueueAnswer> pushed : gateway.sendAll(pushes)) {
            assertThat(pushed.get(60, TimeUnit.SECONDS).status()).isEqualTo(Status.CREATED);
        }
    }

    @Test
    void theBestItemComesFirstAndAPopThatWaitsIsAnsweredWhenAnItemComes() throws Exception {
        gateway.ask(push("late", 9));
        gateway.ask(push("soon", 2));
        List<LeasedItem> both = pop(2, 0).get(60, TimeUnit.SECONDS).items();
        assertThat(both).extracting(LeasedItem::key).containsExactly("soon", "late");

        CompletableFuture<QueueAnswer> waiting = pop(1, 5_000);
        gateway.ask(push("now", 3));
        LeasedItem now = waiting.get(60, TimeUnit.SECONDS).items().get(0);

        assertThat(now.key()).isEqualTo("now");
        assertThat(done(now)).isEqualTo(Status.OK);
        assertThat(done(now)).isEqualTo(Status.STALE);
        assertThat(view().leased()).isEqualTo(2);
        assertThat(view().finished()).isEqualTo(1);
    }

    @Test
    void aCrashLosesNoItemAndWhatWorkersHaveStaysTheirs() throws Exception {
        pushMany(100);
        List<LeasedItem> taken =
                new ArrayList<>(pop(10, 0).get(60, TimeUnit.SECONDS).items());
        await().atMost(Deployment.PATIENCE).until(weir::hasCheckpoint);
        taken.addAll(pop(10, 0).get(60, TimeUnit.SECONDS).items());

        weir.crashAndRestore();

        for (LeasedItem item : taken) {
            assertThat(done(item)).as(item.key()).isEqualTo(Status.OK);
        }
        Set<String> rest = new HashSet<>();
        while (rest.size() < 80) {
            List<LeasedItem> items = pop(256, 5_000).get(60, TimeUnit.SECONDS).items();
            assertThat(items).as("after " + rest.size()).isNotEmpty();
            for (LeasedItem item : items) {
                assertThat(rest.add(item.key())).isTrue();
                assertThat(done(item)).isEqualTo(Status.OK);
            }
        }
        assertThat(rest)
                .doesNotContainAnyElementsOf(taken.stream().map(LeasedItem::key).toList());
        assertThat(view().waiting() + view().leased()).isZero();
    }

    @Test
    void aRequestIsReadOnceAlsoIfItComesTwice() throws Exception {
        byte[] request =
                Json.write(new QueueRequest("nobody", List.of(push("twice", 3).apply(1))));
        gateway.publish(Names.ITEMS_KEY, "same", request);
        LeasedItem item = pop(1, 5_000).get(60, TimeUnit.SECONDS).items().get(0);
        assertThat(done(item)).isEqualTo(Status.OK);

        gateway.publish(Names.ITEMS_KEY, "same", request);
        gateway.ask(push("after", 3));

        assertThat(pop(2, 0).get(60, TimeUnit.SECONDS).items())
                .extracting(LeasedItem::key)
                .containsExactly("after");
    }

    @Test
    void whatIsNoRequestIsRejectedAndTheQueuesGoOn() throws Exception {
        gateway.publish(
                Names.DONE_KEY, "a", "{\"type\":\"request\",\"gateway\":\"g\"}".getBytes(StandardCharsets.UTF_8));
        gateway.publish(Names.ASKS_KEY, "b", new byte[] {0, 1, 2});

        await().atMost(Deployment.PATIENCE).until(() -> weir.rejected().size() == 2);
        assertThat(weir.rejected()).anyMatch(rejected -> "entries".equals(rejected.field()));
        assertThat(gateway.ask(push("good", 3)).status()).isEqualTo(Status.CREATED);
    }
}
