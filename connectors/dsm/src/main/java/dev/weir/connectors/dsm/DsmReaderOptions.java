package dev.weir.connectors.dsm;

import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * Where DSM is and how much may be spent on it. Start from {@link #at(URI)} and change what differs.
 *
 * @param baseUrl of DSM, {@code http} or {@code https}; {@code /dataset/…} and {@code /storage/…} are appended
 * @param connectTimeout until a connection stands; 5 s by default
 * @param responseTimeout until the head of an answer, and again between any two pieces of its body; 30 s by default
 * @param bodyTimeout until the last byte of a body; 30 min by default, because a whole dataset may come at once
 * @param attempts how often one question is asked, the first time included; 8 by default
 * @param totalTime no further attempt begins later than this after the first; 2 min by default
 * @param firstPause before the second attempt, doubled each time, less a random part of up to half; 200 ms by default
 * @param longestPause no pause is longer; 15 s by default
 * @param concurrency questions under way at once, and threads that read answers; 4 by default
 * @param maxWaiting questions that may wait for one of them; 10,000 by default, more fail as unavailable
 * @param maxEntryBytes of one file's entry; 256 KiB by default
 * @param maxPageBytes of all entries of one page; 128 MiB by default
 * @param maxWholeBytes of a dataset that comes at once, and of all such datasets kept on disk; 16 GiB by default
 * @param spoolDirectory where those are kept; null is the system's directory for temporary files
 * @param spoolIdle how long one is kept after it was last read; 15 min by default
 */
public record DsmReaderOptions(
        URI baseUrl,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration bodyTimeout,
        int attempts,
        Duration totalTime,
        Duration firstPause,
        Duration longestPause,
        int concurrency,
        int maxWaiting,
        int maxEntryBytes,
        long maxPageBytes,
        long maxWholeBytes,
        String spoolDirectory,
        Duration spoolIdle)
        implements Serializable {

    private static final long serialVersionUID = 1;

    public DsmReaderOptions {
        String scheme = Objects.requireNonNull(baseUrl, "baseUrl").getScheme();
        if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme) || baseUrl.getHost() == null) {
            throw new IllegalArgumentException("the DSM's address must be an http or https URL, got '" + baseUrl + "'");
        }
        positive("connectTimeout", connectTimeout);
        positive("responseTimeout", responseTimeout);
        positive("bodyTimeout", bodyTimeout);
        positive("totalTime", totalTime);
        positive("firstPause", firstPause);
        positive("longestPause", longestPause);
        positive("spoolIdle", spoolIdle);
        positive("attempts", attempts);
        positive("concurrency", concurrency);
        positive("maxWaiting", maxWaiting);
        positive("maxEntryBytes", maxEntryBytes);
        positive("maxPageBytes", maxPageBytes);
        positive("maxWholeBytes", maxWholeBytes);
    }

    /** The defaults, for the DSM at this address. */
    public static DsmReaderOptions at(URI baseUrl) {
        return new DsmReaderOptions(
                baseUrl,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Duration.ofMinutes(30),
                8,
                Duration.ofMinutes(2),
                Duration.ofMillis(200),
                Duration.ofSeconds(15),
                4,
                10_000,
                256 << 10,
                128L << 20,
                16L << 30,
                null,
                Duration.ofMinutes(15));
    }

    public DsmReaderOptions withTimeouts(Duration connect, Duration response, Duration body) {
        return new DsmReaderOptions(
                baseUrl,
                connect,
                response,
                body,
                attempts,
                totalTime,
                firstPause,
                longestPause,
                concurrency,
                maxWaiting,
                maxEntryBytes,
                maxPageBytes,
                maxWholeBytes,
                spoolDirectory,
                spoolIdle);
    }

    public DsmReaderOptions withRetries(int attempts, Duration totalTime, Duration firstPause, Duration longestPause) {
        return new DsmReaderOptions(
                baseUrl,
                connectTimeout,
                responseTimeout,
                bodyTimeout,
                attempts,
                totalTime,
                firstPause,
                longestPause,
                concurrency,
                maxWaiting,
                maxEntryBytes,
                maxPageBytes,
                maxWholeBytes,
                spoolDirectory,
                spoolIdle);
    }

    public DsmReaderOptions withConcurrency(int concurrency, int maxWaiting) {
        return new DsmReaderOptions(
                baseUrl,
                connectTimeout,
                responseTimeout,
                bodyTimeout,
                attempts,
                totalTime,
                firstPause,
                longestPause,
                concurrency,
                maxWaiting,
                maxEntryBytes,
                maxPageBytes,
                maxWholeBytes,
                spoolDirectory,
                spoolIdle);
    }

    public DsmReaderOptions withSizes(int maxEntryBytes, long maxPageBytes, long maxWholeBytes) {
        return new DsmReaderOptions(
                baseUrl,
                connectTimeout,
                responseTimeout,
                bodyTimeout,
                attempts,
                totalTime,
                firstPause,
                longestPause,
                concurrency,
                maxWaiting,
                maxEntryBytes,
                maxPageBytes,
                maxWholeBytes,
                spoolDirectory,
                spoolIdle);
    }

    public DsmReaderOptions withSpool(String directory, Duration idle) {
        return new DsmReaderOptions(
                baseUrl,
                connectTimeout,
                responseTimeout,
                bodyTimeout,
                attempts,
                totalTime,
                firstPause,
                longestPause,
                concurrency,
                maxWaiting,
                maxEntryBytes,
                maxPageBytes,
                maxWholeBytes,
                directory,
                idle);
    }

    private static void positive(String name, Duration value) {
        if (value == null || value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be longer than nothing, got " + value);
        }
    }

    private static void positive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }
}
