package dev.weir.chaos.world;

import dev.weir.chaos.plan.Target;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes that are Weir. For one thread. */
interface Flink extends AutoCloseable {

    /** Starts what does not run, and returns when Weir's jobs run. */
    void start() throws IOException, InterruptedException;

    /** Those that faults hit, each one process. */
    List<Target> targets();

    /** Empty when it has ended. */
    Optional<ProcessHandle> process(Target target);

    /** Those that do not live although nobody has killed them. */
    default List<Target> dead() {
        return targets().stream().filter(target -> process(target).isEmpty()).toList();
    }

    /** Address of Flink's REST API, with a slash at its end. */
    URI rest();

    /** Where its logs are, by what they are of. */
    Map<String, String> logs();

    @Override
    void close() throws IOException, InterruptedException;
}
