package dev.weir.cli.demo;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Task;

/**
 * One task of the demo.
 *
 * @param name short, for bars and tables
 * @param task the message to Weir
 * @param jobs number of jobs that it will have
 */
record DemoTask(String name, Task task, int jobs) {

    String uid() {
        return task.uid();
    }

    String pool() {
        return task.poolName();
    }

    /** The weight that follows from its rank, as long as the rank does not evolve. */
    int weight() {
        return (int) Math.round(task.rank());
    }

    /** Whether this URL belongs to a file of one of its jobs. */
    boolean owns(String url) {
        return url != null && url.contains("/" + task.datOutUrl() + "/");
    }

    boolean isGpu() {
        return task.deviceType() == DeviceType.GPU;
    }

    boolean isMerge() {
        return task.mode() == Mode.MERGE;
    }
}
