package dev.weir.cli.demo;

import dev.weir.protocol.DeviceType;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Json;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import java.nio.charset.StandardCharsets;

/** Tasks and events as the demo meets them. */
final class TestTasks {

    private TestTasks() {}

    static DemoTask task(String name, int jobs, int retry) {
        return task(name, jobs, retry, DeviceType.CPU);
    }

    static DemoTask task(String name, int jobs, int retry, DeviceType device) {
        String json = """
                {"uid": "t.%1$s", "executable": "%1$s", "device_type": "%3$s", "mode": "Map", "rank": 4, "retry": %2$d,
                 "dat_in_uid": "in.%1$s", "dat_out_uid": "out.%1$s", "dat_stor_url": "file:///data", "dat_out_url": "out/%1$s"}
                """.formatted(name, retry, device);
        return new DemoTask(name, Json.read(json.getBytes(StandardCharsets.UTF_8), Task.class), jobs);
    }

    static TaskEvent event(DemoTask task, String id, TaskState state, long finished, long failed) {
        return new TaskEvent(id, task.uid(), state, counts(task, finished, failed), null, null);
    }

    static JobCounts counts(DemoTask task, long finished, long failed) {
        return new JobCounts((long) task.jobs(), 0L, 0, 0, 0, 0, finished, failed, 0, 0, 2, 1);
    }
}
