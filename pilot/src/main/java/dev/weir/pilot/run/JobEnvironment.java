package dev.weir.pilot.run;

import dev.weir.protocol.Job;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a job's program finds in its environment, beside what the pilot inherited. */
final class JobEnvironment {

    private JobEnvironment() {}

    /** @param slot of the pilot, from 0: jobs of one node share out what it has several of, as GPUs, by it */
    static Map<String, String> of(Job job, String pilotId, int slot, Path tmp) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("TMPDIR", tmp.toString());
        environment.put("WEIR_JOB_UID", job.uid());
        environment.put("WEIR_TASK_UID", job.taskUid());
        environment.put("WEIR_ATTEMPT", String.valueOf(job.attempt()));
        environment.put("WEIR_PILOT_ID", pilotId);
        environment.put("WEIR_SLOT", String.valueOf(slot));
        return environment;
    }
}
