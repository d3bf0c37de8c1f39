package dev.weir.bench.system;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** What pilots say whose jobs take no time. Safe for use from many threads. */
final class Reports {

    /** Of a job that is told in full: starting and its result. */
    static final int OF_A_JOB = 2;

    /** How much is said of a job. */
    enum Told {
        /** Starting, then finished with an output and a log. */
        FULLY,
        /** Finished with an output. */
        BRIEFLY
    }

    private static final String CHECKSUM = "sha256:" + "0123456789abcdef".repeat(4);

    private final String queue;
    private final Told told;
    private final AtomicLong bytes = new AtomicLong();

    /** @param queue from which Weir reads them */
    Reports(String queue, Told told) {
        this.queue = queue;
        this.told = told;
    }

    /** Bytes of all so far. */
    long bytes() {
        return bytes.get();
    }

    /** Sends all about a job, in the order of the channel. */
    void send(Channel channel, String pilot, Job job) throws IOException {
        Instant now = Instant.now();
        boolean fully = told == Told.FULLY;
        if (fully) {
            send(channel, new Status(pilot, "cpu", now, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING));
        }
        send(
                channel,
                new Result(
                        pilot,
                        "cpu",
                        now,
                        job.uid(),
                        job.attempt(),
                        job.route(),
                        Result.Outcome.FINISHED,
                        0,
                        null,
                        null,
                        job.fileOutUrl(),
                        1L,
                        CHECKSUM,
                        fully ? job.fileLogUrl() : null,
                        fully ? 1L : null,
                        fully ? CHECKSUM : null,
                        now,
                        now));
    }

    private void send(Channel channel, Report report) throws IOException {
        byte[] body = Json.write(report);
        bytes.addAndGet(body.length);
        channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, body);
    }
}
