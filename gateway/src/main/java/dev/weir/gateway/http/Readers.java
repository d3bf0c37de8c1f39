package dev.weir.gateway.http;

import dev.weir.web.Problem;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets only some requests read from the database, or a storage, and hold what they have read; some wait, further ones are refused with 503. So memory has a maximum,
 * and a database that does not answer leaves threads to pilots, who need none. Safe for use from many threads.
 */
final class Readers {

    /** More than the pool of connections has; a page of a thousand tasks takes some megabytes. */
    private static final int PLACES = 24;

    private static final int MOST_WAITING = 100;
    private static final long LONGEST_WAIT_SECONDS = 5;

    private final int mostHere;
    private final String title;
    private final String busy;
    private final Semaphore places;
    private final AtomicInteger here = new AtomicInteger();

    Readers() {
        this(PLACES, MOST_WAITING, "Database slow", "more requests read at once than the database answers; ask again");
    }

    /** @param busy what those hear who are refused */
    Readers(int places, int mostWaiting, String title, String busy) {
        this.places = new Semaphore(places, true);
        this.title = title;
        this.busy = busy;
        mostHere = places + mostWaiting;
    }

    /** The handler, for one of the readers. */
    Handler one(Handler read) {
        return http -> {
            try {
                if (here.incrementAndGet() > mostHere || !isLetIn()) {
                    throw busy(http);
                }
                try {
                    read.handle(http);
                } finally {
                    places.release();
                }
            } finally {
                here.decrementAndGet();
            }
        };
    }

    private boolean isLetIn() throws InterruptedException {
        return places.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private Problem busy(Context http) {
        http.header("Retry-After", "1");
        return new Problem(503, title, busy);
    }
}
