package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and acknowledgements that are lost, and tasks that fail, at random: is each message processed once? */
class QueueStateModelTest {

    private static final int SEEDS = 1_000;
    private static final int MESSAGES = 60;
    private static final int TROUBLED_STEPS = 1_200;
    private static final int MOST_STEPS = 20_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachMessageIsProcessedOnceAlsoWhenTheWindowIsWidenedBeforeTheFirstCheckpoint(boolean widens) throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<Integer> output = new Run(seed, widens).toTheEnd();
            assertThat(output)
                    .as("seed " + seed)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, MESSAGES).boxed().toList());
        }
    }

    /** What a checkpoint holds: the queue's state, and how much of the output is safe. */
    private record Snapshot(byte[] state, int output) {}

    /** A job that reads one queue, and what becomes of it. */
    private static final class Run {

        private final QueueSplitSerializer serializer = new QueueSplitSerializer();
        private final Random random;
        private final boolean widens;
        private final int prefetch;
        private final int remembered;
        private final ModelledQueue queue;
        private final TreeMap<Long, Snapshot> pending = new TreeMap<>();
        private List<Integer> output = new ArrayList<>();
        private QueueState state;
        private Snapshot complete;
        private long checkpoint;
        /** In this attempt. */
        private boolean checkpointBegan;

        Run(int seed, boolean widens) throws IOException {
            this.random = new Random(seed);
            this.widens = widens;
            this.prefetch = 1 + random.nextInt(8);
            this.remembered = prefetch + random.nextInt(12);
            this.queue = new ModelledQueue(MESSAGES, prefetch, random);
            this.complete = new Snapshot(serializer.serialize(QueueSplit.fresh("q")), 0);
            this.state = restored();
        }

        private QueueState restored() throws IOException {
            return new QueueState(
                    serializer.deserialize(serializer.getVersion(), complete.state()), true, prefetch, remembered);
        }

        /** Runs until the queue is empty and all of it acknowledged; in the end without further trouble. */
        List<Integer> toTheEnd() throws IOException {
            for (int step = 0; step < MOST_STEPS && !(step > TROUBLED_STEPS && isDone()); step++) {
                step(step < TROUBLED_STEPS);
            }
            return output;
        }

        private boolean isDone() {
            return queue.left().isEmpty() && state.positions().allSent();
        }

        private void step(boolean troubled) throws IOException {
            int what = random.nextInt(1_000);
            if (what < 400) {
                queue.deliver();
            } else if (what < 700) {
                process();
            } else if (what < 750) {
                if (widens && !checkpointBegan) {
                    queue.widen();
                }
            } else if (what < 800) {
                snapshot();
            } else if (what < 860) {
                completeOne(troubled);
            } else if (what < 930) {
                queue.hear();
            } else if (what < 985) {
                queue.reconnect();
            } else if (troubled && what < 994) {
                // Before the first checkpoint of an attempt that reads beyond its window, the source fails then.
                if (widens && !checkpointBegan) {
                    restart();
                } else {
                    queue.disconnect();
                }
            } else if (troubled && what < 998) {
                restart();
            }
        }

        private void process() {
            ModelledQueue.Arrival arrival = queue.next();
            if (arrival != null) {
                state.deliveredBy(arrival.channel());
                if (state.isNew(MessageKey.of("m" + arrival.number()), arrival.channel())) {
                    output.add(arrival.number());
                }
                state.done(arrival.channel(), arrival.tag());
            }
        }

        private void snapshot() throws IOException {
            checkpointBegan = true;
            checkpoint++;
            pending.put(checkpoint, new Snapshot(serializer.serialize(state.snapshot()), output.size()));
            state.bind(checkpoint);
        }

        /** Completes one of the checkpoints under way; in trouble it may be given up, or nobody be told. */
        private void completeOne(boolean troubled) {
            if (pending.isEmpty()) {
                return;
            }
            long number = new ArrayList<>(pending.keySet()).get(random.nextInt(pending.size()));
            Snapshot snapshot = pending.get(number);
            pending.headMap(number, true).clear();
            if (troubled && random.nextInt(5) == 0) {
                return;
            }
            complete = snapshot;
            if (!troubled || random.nextInt(4) > 0) {
                state.complete(number, position -> queue.acknowledge(position.channel(), position.tag()));
            }
        }

        private void restart() throws IOException {
            queue.restart();
            pending.clear();
            checkpointBegan = false;
            output = new ArrayList<>(output.subList(0, complete.output()));
            state = restored();
        }
    }
}
