package dev.weir.connectors.rabbitmq.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.junit.jupiter.api.Test;

/** Which reader gets which queue. */
class QueueEnumeratorTest {

    private static final int READERS = 2;

    private final Map<Integer, ReaderInfo> registered = new HashMap<>();
    private final Map<Integer, Set<String>> given = new TreeMap<>();
    private final Set<Integer> toldThatThereAreNoMore = new TreeSet<>();

    private QueueEnumerator enumerator(List<String> queues, String... restored) {
        return new QueueEnumerator(context(), queues, true, new EnumeratorState(Set.of(restored)));
    }

    @SuppressWarnings("unchecked")
    private SplitEnumeratorContext<QueueSplit> context() {
        return (SplitEnumeratorContext<QueueSplit>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {SplitEnumeratorContext.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "currentParallelism":
                            return READERS;
                        case "registeredReaders":
                            return registered;
                        case "assignSplit":
                            given.computeIfAbsent((Integer) args[1], n -> new TreeSet<>())
                                    .add(((QueueSplit) args[0]).queue());
                            return null;
                        case "signalNoMoreSplits":
                            toldThatThereAreNoMore.add((Integer) args[0]);
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.getName());
                    }
                });
    }

    private void start(QueueEnumerator enumerator, int reader, String... has) {
        registered.put(reader, new ReaderInfo(reader, "here"));
        enumerator.addReader(reader);
        enumerator.handleSourceEvent(reader, new HeldQueues(Set.of(has)));
    }

    @Test
    void aFreshJobDealsItsQueuesOutInTheirOrderWithoutWaitingForAllReaders() {
        QueueEnumerator enumerator = enumerator(List.of("a", "b", "c"));
        start(enumerator, 0);
        assertThat(given).isEqualTo(Map.of(0, Set.of("a", "c")));
        assertThat(toldThatThereAreNoMore).containsExactly(0);
        start(enumerator, 1);
        assertThat(given).isEqualTo(Map.of(0, Set.of("a", "c"), 1, Set.of("b")));
        assertThat(toldThatThereAreNoMore).containsExactly(0, 1);
    }

    @Test
    void queuesThatAreNewInARestoredJobGoToTheReadersThatHaveFewer() {
        // By their places in the list both would go to reader 0, which has all of the others.
        QueueEnumerator enumerator = enumerator(List.of("new1", "old1", "new2", "old2"), "old1", "old2", "gone");
        start(enumerator, 0, "old1", "old2");
        assertThat(given).isEmpty();
        assertThat(toldThatThereAreNoMore).isEmpty();
        start(enumerator, 1, "gone");
        assertThat(given).isEqualTo(Map.of(1, Set.of("new1", "new2")));
        assertThat(toldThatThereAreNoMore).containsExactly(0, 1);
        assertThat(enumerator.snapshotState(1).assigned()).containsExactlyInAnyOrder("new1", "new2", "old1", "old2");
    }

    @Test
    void aRestoredJobWithTheSameQueuesWaitsForNothing() {
        QueueEnumerator enumerator = enumerator(List.of("a", "b"), "a", "b");
        start(enumerator, 1, "a", "b");
        assertThat(toldThatThereAreNoMore).containsExactly(1);
        assertThat(given).isEmpty();
    }

    @Test
    void whatAFailedReaderGivesBackIsForItAgain() {
        QueueEnumerator enumerator = enumerator(List.of("a", "b"));
        start(enumerator, 0);
        start(enumerator, 1);
        registered.remove(1);
        given.clear();
        enumerator.addSplitsBack(List.of(QueueSplit.fresh("b")), 1);
        assertThat(given).isEmpty();
        start(enumerator, 1);
        assertThat(given).isEqualTo(Map.of(1, Set.of("b")));
    }
}
