package dev.weir.connectors.rabbitmq.sink;

import dev.weir.connectors.rabbitmq.sink.publish.Publisher;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.connector.sink2.Committer;

/**
 * Publishes what a completed checkpoint holds, in order, and returns once the broker has confirmed all of it. A failure
 * fails the task: the messages are in the checkpoint and are published again, with the same ids.
 */
final class PublishingCommitter implements Committer<MessageBatch> {

    private final Publisher publisher;

    PublishingCommitter(Publisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void commit(Collection<CommitRequest<MessageBatch>> requests) throws IOException, InterruptedException {
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
