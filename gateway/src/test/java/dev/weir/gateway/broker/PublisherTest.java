package dev.weir.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PublisherTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final ScriptedBroker broker = new ScriptedBroker();
    private final AtomicInteger cuts = new AtomicInteger();

    @Test
    void aMessageWhoseConfirmDoesNotComeIsForgotten() throws Exception {
        Publisher publisher = new Publisher(broker.channel(), cuts::incrementAndGet, SHORT);

        CompletableFuture<Void> sent = publisher.publish("to", "key", "id", new byte[1]);

        assertThatThrownBy(sent::get).hasMessageContaining("Timeout");
        await().until(() -> publisher.unconfirmed() == 0);
        assertThat(cuts).hasValue(0);
    }

    @Test
    void aWriteThatHangsIsCutAndEndsForAllWhoWaitForIt() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        broker.on("basicPublish", () -> {
            cut.await();
            throw new IOException("Socket closed");
        });
        Publisher publisher = new Publisher(broker.channel(), cut::countDown, SHORT);

        CompletableFuture<Void> sent = publisher.publish("to", "key", "id", new byte[1]);

        assertThat(sent).isCompletedExceptionally();
        assertThat(publisher.unconfirmed()).isZero();
    }
}
