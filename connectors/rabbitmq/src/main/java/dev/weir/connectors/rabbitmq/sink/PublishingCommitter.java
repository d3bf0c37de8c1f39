package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what a completed checkpoint holds, in order, and returns once the broker has confirmed all of it. A failure
 * fails the task: the messages are in the checkpoint and are published again, with the same ids.
 *
 * <p>So are those of every checkpoint that a job is restored from, confirmed or not: they are committed after the checkpoint is complete,
 * so it cannot say which were confirmed, and nothing else outlives the job.
 */
final class PublishingCommitter implements Committer<MessageBatch> {

    private static final Logger LOG = LoggerFactory.getLogger(PublishingCommitter.class);

    /**
     * All at once, the messages of a checkpoint would take the broker's time, and that of those who receive them, from messages that others
     * publish at the moment. So they come in parts; not in more than these, so that a large commit waits for only so many confirms.
     */
    private static final int MOST_PARTS = 16;

    private static final int SMALLEST_PART = 32;

    private final Publisher publisher;

    PublishingCommitter(Publisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void commit(Collection<CommitRequest<MessageBatch>> requests) throws IOException, InterruptedException {
        int restored = requests.stream()
                .map(CommitRequest::getCommittable)
                .filter(MessageBatch::restored)
                .mapToInt(batch -> batch.messages().size())
                .sum();
        if (restored > 0) {
            LOG.warn(
                    "The checkpoint that the job goes on from holds {} messages to publish. They are published now, with their ids, also"
                            + " those that the job before had published after it",
                    restored);
        }
        List<AmqpMessage> all = requests.stream()
                .flatMap(request -> request.getCommittable().messages().stream())
                .toList();
        for (List<AmqpMessage> part : parts(all)) {
            for (AmqpMessage message : part) {
                publisher.publish(message);
            }
            publisher.awaitAllConfirmed();
        }
    }

    /** The messages, in order, in parts of which each is published when the one before is confirmed. */
    static List<List<AmqpMessage>> parts(List<AmqpMessage> all) {
        int size = Math.max(SMALLEST_PART, (all.size() + MOST_PARTS - 1) / MOST_PARTS);
        List<List<AmqpMessage>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            parts.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return parts;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
