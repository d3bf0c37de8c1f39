package dev.weir.pilot;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pilots of one process, one for each slot of the node. They share nothing but the process and the work directory. If one fails, the others
 * finish their jobs and end too: so the service manager that started the process starts all of them again, and no slot stays empty unnoticed.
 *
 * <p>{@link #run} is called once, by one thread; the other methods by any.
 */
final class Slots implements AutoCloseable {

    static final int MOST = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Slots.class);

    private final String id;
    private final List<Pilot> pilots = new ArrayList<>();

    /**
     * Makes the pilots; connects to nothing yet.
     *
     * @param settings of each pilot; with several slots, {@code -1}, {@code -2} and so on follow its id
     * @throws IOException and IllegalArgumentException as {@link Pilot#Pilot}
     */
    Slots(PilotSettings settings, int slots) throws IOException {
        this.id = settings.id();
        try {
            for (int slot = 1; slot <= slots; slot++) {
                pilots.add(new Pilot(slots == 1 ? settings : settings.withSlot(slot)));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Works until all have ended.
     *
     * @return what they have done together
     * @throws IOException when one ended because Weir could not be reached or refused it
     */
    PilotSummary run() throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(pilots.size());
        try {
            List<Future<PilotSummary>> running = pilots.stream()
                    .map(pilot -> threads.submit(() -> run(pilot)))
                    .collect(Collectors.toList());
            List<PilotSummary> ended = new ArrayList<>();
            Throwable failure = null;
            for (Future<PilotSummary> one : running) {
                try {
                    ended.add(one.get());
                } catch (ExecutionException e) {
                    failure = failure == null ? e.getCause() : failure;
                }
            }
            if (failure != null) {
                throw failure instanceof IOException known
                        ? known
                        : new IOException("a pilot failed: " + failure, failure);
            }
            return PilotSummary.together(id, ended);
        } catch (InterruptedException e) {
            stop("interrupted");
            Thread.currentThread().interrupt();
            return PilotSummary.together(id, pilots.stream().map(Pilot::summary).toList());
        } finally {
            threads.shutdown();
        }
    }

    private PilotSummary run(Pilot pilot) throws IOException {
        try {
            return pilot.run();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("A pilot of {} failed, so the others take no more jobs", id, e);
            pilots.forEach(other -> other.drain("another pilot of the process failed: " + e.getMessage()));
            throw e;
        }
    }

    /** Ends all now, as {@link Pilot#stop}. */
    void stop(String why) {
        pilots.forEach(pilot -> pilot.stop(why));
    }

    /** Stops all, and waits until they have ended, for a bounded time. */
    @Override
    public void close() {
        stop("closed");
        pilots.forEach(Pilot::close);
    }
}
