package dev.weir.connectors.rabbitmq.suite;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Holds up one checkpoint: the first that comes after so many records. It is under way then, and complete only when it is let
 * go. Stands in a task of its own, so that the source goes on. Shared by name because functions are copied.
 */
public final class HeldCheckpoint implements MapFunction<String, String>, CheckpointedFunction {
    private static final long serialVersionUID = 1L;
    private static final long MOST_SECONDS = 60;

    private static final Map<String, CountDownLatch> HELD = new ConcurrentHashMap<>();
    private static final Map<String, CountDownLatch> LET_GO = new ConcurrentHashMap<>();

    private final String name;
    private final int afterRecords;
    private int records;

    public HeldCheckpoint(String name, int afterRecords) {
        this.name = name;
        this.afterRecords = afterRecords;
    }

    @Override
    public String map(String text) {
        records++;
        return text;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws InterruptedException {
        if (records >= afterRecords && latch(HELD).getCount() > 0) {
            latch(HELD).countDown();
            if (!latch(LET_GO).await(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody let the checkpoint go");
            }
        }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
        // Counts anew in each attempt.
    }

    /** Waits until it is held. */
    public void awaitHeld() throws InterruptedException {
        if (!latch(HELD).await(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no checkpoint came");
        }
    }

    public void letGo() {
        latch(LET_GO).countDown();
    }

    private CountDownLatch latch(Map<String, CountDownLatch> which) {
        return which.computeIfAbsent(name, n -> new CountDownLatch(1));
    }
}
