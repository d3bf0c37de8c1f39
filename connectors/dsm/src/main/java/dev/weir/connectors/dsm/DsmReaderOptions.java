package dev.weir.connectors.dsm;

import dev.weir.protocol.Urls;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * Where DSM is and how much may be spent on it. Start from {@link #at(URI)} and change what differs.
 *
 * @param baseUrl of DSM, {@code http} or {@code https}; {@code /dataset/…} and {@code /storage/…} are appended
 */
public record DsmReaderOptions(
        URI baseUrl, Timeouts timeouts, Retries retries, Load load, Sizes sizes, SpoolOptions spool)
        implements Serializable {

    private static final long serialVersionUID = 2;

    /**
     * How long one answer may take.
     *
     * @param connect until a connection stands; 5 s by default
     * @param response until the head of an answer, and again between any two pieces of its body; 30 s by default
     * @param body until the last byte of a body; 30 min by default, because a whole dataset may come at once
     */
    public record Timeouts(Duration connect, Duration response, Duration body) implements Serializable {

        private static final long serialVersionUID = 1;

        public Timeouts {
            positive("connectTimeout", connect);
            positive("responseTimeout", response);
            positive("bodyTimeout", body);
        }
    }

    /**
     * How often a question is asked again.
     *
     * @param attempts how often one question is asked, the first time included; 8 by default
     * @param totalTime no further attempt begins later than this after the question, nor the first later than 120 times this; 2 min
     *     by default
     * @param firstPause before the second attempt, doubled each time, less a random part of up to half; 200 ms by default
     * @param longestPause no pause is longer; 15 s by default
     * @param absence how long a dataset that DSM does not know is asked for again before it counts as not found, from when DSM says so
     *     first:
     *     outputs reach DSM through a queue, and their readers may be quicker; 5 s by default, 0 or longer
     */
    public record Retries(
            int attempts, Duration totalTime, Duration firstPause, Duration longestPause, Duration absence)
            implements Serializable {

        private static final long serialVersionUID = 2;

        public Retries {
            positive("attempts", attempts);
            positive("totalTime", totalTime);
            positive("firstPause", firstPause);
            positive("longestPause", longestPause);
            if (absence == null || absence.isNegative()) {
                throw new IllegalArgumentException("absence must be 0 or longer, got " + absence);
            }
        }
    }

    /**
     * How much is asked at once.
     *
     * @param concurrency questions under way at once, and threads that read answers; 4 by default. Those about
     *     datasets that failed before hold at most half of them, unless it is 1; from 3 on, one is for datasets that are
     *     asked for the first time, while such wait
     * @param maxWaiting questions that may wait for one of them; 10,000 by default, more fail as unavailable
     */
    public record Load(int concurrency, int maxWaiting) implements Serializable {

        private static final long serialVersionUID = 1;

        public Load {
            positive("concurrency", concurrency);
            positive("maxWaiting", maxWaiting);
        }
    }

    /**
     * How much an answer may hold, in bytes.
     *
     * @param maxEntry of one file's entry; 256 KiB by default
     * @param maxPage of all entries of one page; 128 MiB by default
     * @param maxWhole of a dataset that comes at once, and of all such datasets kept on disk; 16 GiB by default
     */
    public record Sizes(int maxEntry, long maxPage, long maxWhole) implements Serializable {

        private static final long serialVersionUID = 1;

        public Sizes {
            positive("maxEntryBytes", maxEntry);
            positive("maxPageBytes", maxPage);
            positive("maxWholeBytes", maxWhole);
        }
    }

    /**
     * Where datasets that come at once are kept.
     *
     * @param directory null is the system's directory for temporary files
     * @param idle how long one is kept after it was last read; 15 min by default
     */
    public record SpoolOptions(String directory, Duration idle) implements Serializable {

        private static final long serialVersionUID = 1;

        public SpoolOptions {
            positive("spoolIdle", idle);
        }
    }

    public DsmReaderOptions {
        String scheme = Objects.requireNonNull(baseUrl, "baseUrl").getScheme();
        if (!"http".equalsIgnoreCase(scheme) && !"https".equalsIgnoreCase(scheme) || baseUrl.getHost() == null) {
            throw new IllegalArgumentException("the DSM's address must be an http or https URL, got '"
                    + Urls.withoutSecrets(String.valueOf(baseUrl)) + "'");
        }
    }

    /** The defaults, for the DSM at this address. */
    public static DsmReaderOptions at(URI baseUrl) {
        return new DsmReaderOptions(
                baseUrl,
                new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(30)),
                new Retries(
                        8,
                        Duration.ofMinutes(2),
                        Duration.ofMillis(200),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(5)),
                new Load(4, 10_000),
                new Sizes(256 << 10, 128L << 20, 16L << 30),
                new SpoolOptions(null, Duration.ofMinutes(15)));
    }

    public DsmReaderOptions with(Timeouts other) {
        return new DsmReaderOptions(baseUrl, other, retries, load, sizes, spool);
    }

    public DsmReaderOptions with(Retries other) {
        return new DsmReaderOptions(baseUrl, timeouts, other, load, sizes, spool);
    }

    public DsmReaderOptions with(Load other) {
        return new DsmReaderOptions(baseUrl, timeouts, retries, other, sizes, spool);
    }

    public DsmReaderOptions with(Sizes other) {
        return new DsmReaderOptions(baseUrl, timeouts, retries, load, other, spool);
    }

    public DsmReaderOptions with(SpoolOptions other) {
        return new DsmReaderOptions(baseUrl, timeouts, retries, load, sizes, other);
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
