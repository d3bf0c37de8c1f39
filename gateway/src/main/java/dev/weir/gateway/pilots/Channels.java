package dev.weir.gateway.pilots;

import dev.weir.gateway.broker.JobChannel;
import dev.weir.gateway.broker.Link;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Channels for jobs; unused ones wait here for the next. Safe for use from many threads. */
final class Channels {

    private final Link link;
    private final ConcurrentLinkedDeque<JobChannel> idle = new ConcurrentLinkedDeque<>();

    Channels(Link link) {
        this.link = link;
    }

    /** An open channel without a job. Throws {@link dev.weir.gateway.broker.BrokerAway}. */
    JobChannel take() {
        for (JobChannel channel = idle.poll(); channel != null; channel = idle.poll()) {
            if (channel.isOpen()) {
                return channel;
            }
        }
        return link.jobChannel();
    }

    /** It has no job and no consumer any more. */
    void put(JobChannel channel) {
        if (channel.isOpen()) {
            idle.push(channel);
        }
    }
}
