package dev.weir.job.endtoend;

import dev.weir.protocol.Job;
import dev.weir.testing.LightPilots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The light pilots of a deployment, which remember what they ran. */
final class FakePilots implements AutoCloseable {

    private final List<Job> run = new ArrayList<>();
    private final LightPilots pilots;

    FakePilots(Deployment deployment, String pool, int count, Duration runTime, Predicate<Job> succeeds) {
        pilots = new LightPilots(
                deployment.broker(),
                pool,
                deployment.jobsQueue(pool),
                deployment.reportsQueue(),
                count,
                runTime,
                false,
                job -> {
                    synchronized (run) {
                        run.add(job);
                    }
                    return succeeds.test(job);
                });
    }

    /** Every attempt that really ran, in the order in which they ended. */
    List<Job> run() {
        synchronized (run) {
            return List.copyOf(run);
        }
    }

    @Override
    public void close() throws InterruptedException {
        pilots.close();
    }
}
