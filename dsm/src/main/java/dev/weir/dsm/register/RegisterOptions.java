package dev.weir.dsm.register;

import dev.weir.protocol.Names;
import dev.weir.protocol.Urls;
import java.time.Duration;

/**
 * Where registrations come from.
 *
 * @param uri of the broker, {@code amqp://user:password@host:port/vhost}
 * @param queue that is consumed
 * @param rejectedQueue where rejected messages go
 * @param rejectedExchange through which they go there: the right to send to it is the right to send nothing else
 * @param prefetch most unacknowledged messages; 500 by default, which are half a gigabyte when all are parts of long check-lists
 * @param batch most messages in one transaction; 500 by default, and fewer of more than 32 KiB
 * @param firstPause before the second try when broker or database is away, doubled each time; 200 ms by default
 * @param longestPause between tries; 10 s by default
 * @param stalledAfter how long nothing may be done before health says so; a minute by default
 */
public record RegisterOptions(
        String uri,
        String queue,
        String rejectedQueue,
        String rejectedExchange,
        int prefetch,
        int batch,
        Duration firstPause,
        Duration longestPause,
        Duration stalledAfter) {

    public RegisterOptions {
        if (prefetch < 1 || prefetch > 65_535) {
            throw new IllegalArgumentException("prefetch must be from 1 to 65535, got " + prefetch);
        }
        if (batch < 1) {
            throw new IllegalArgumentException("batch must be at least 1, got " + batch);
        }
    }

    /** Without the password, in case someone logs it. */
    @Override
    public String toString() {
        return "RegisterOptions[" + Urls.withoutSecrets(uri) + ", queue " + queue + "]";
    }

    /** The protocol's queues and the default numbers, at this broker. */
    public static RegisterOptions at(String uri) {
        return new RegisterOptions(
                uri,
                Names.DSM_REGISTER,
                Names.REJECTED,
                Names.SEND_REJECTED,
                500,
                500,
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1));
    }

    public RegisterOptions withNames(String queue, String rejectedQueue, String rejectedExchange) {
        return new RegisterOptions(
                uri, queue, rejectedQueue, rejectedExchange, prefetch, batch, firstPause, longestPause, stalledAfter);
    }

    public RegisterOptions withSizes(int prefetch, int batch) {
        return new RegisterOptions(
                uri, queue, rejectedQueue, rejectedExchange, prefetch, batch, firstPause, longestPause, stalledAfter);
    }

    public RegisterOptions withPauses(Duration firstPause, Duration longestPause) {
        return new RegisterOptions(
                uri, queue, rejectedQueue, rejectedExchange, prefetch, batch, firstPause, longestPause, stalledAfter);
    }

    public RegisterOptions withStalledAfter(Duration stalledAfter) {
        return new RegisterOptions(
                uri, queue, rejectedQueue, rejectedExchange, prefetch, batch, firstPause, longestPause, stalledAfter);
    }
}
