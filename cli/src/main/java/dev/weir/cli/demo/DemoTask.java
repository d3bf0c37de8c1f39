package dev.weir.cli.demo;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Task;

/**
 * One task of the demo.
 *
 * @param name short, for bars and tables
 * @param task what WFMS sends
 * @param jobs how many jobs it will have
 */
record DemoTask(String name, Task task, int jobs) {

    String uid() {
        return task.uid();
    }

    String pool() {
        return task.poolName();
    }

    /** The weight that its rank gives it, as long as its rank does not evolve. */
    int weight() {
        return (int) Math.round(task.rank());
    }

    /** Whether a file of one of its jobs is at this URL. */
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
