package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.Collection;
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
        for (CommitRequest<MessageBatch> request : requests) {
            for (AmqpMessage message : request.getCommittable().messages()) {
                publisher.publish(message);
            }
        }
        publisher.awaitAllConfirmed();
    }

    @Override
    public void close() {
        publisher.close();
    }
}
