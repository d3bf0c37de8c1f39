package dev.weir.dsm.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Registration;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RegistrarTest {

    @Test
    void anErrorEndsNothingAndTheMessageIsTakenAtTheNextTry() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Intake intake = new Intake(batch -> {
            if (tries.incrementAndGet() == 1) {
                throw new StackOverflowError("the first time");
            }
            return Map.of();
        });
        try (ScratchBroker broker = ScratchBroker.createEmbedded();
                Registrar registrar = new Registrar(withOneMessage(broker), intake)) {
            registrar.start();

            await().atMost(Duration.ofSeconds(20)).until(() -> registrar.taken() == 1);
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    void sessionsThatBeginAndTakeNothingAreNoProgress() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        Intake intake = new Intake(batch -> {
            tries.incrementAndGet();
            throw new IllegalStateException("each time");
        });
        try (ScratchBroker broker = ScratchBroker.createEmbedded();
                Registrar registrar = new Registrar(
                        withOneMessage(broker)
                                .withPauses(Duration.ofMillis(100), Duration.ofMillis(100))
                                .withStalledAfter(Duration.ofSeconds(1)),
                        intake)) {
            registrar.start();

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                assertThat(tries).hasValueGreaterThan(1);
                assertThat(registrar.trouble().orElse("")).contains("have not advanced", "each time");
            });
        }
    }

    @Test
    void longPartsOfACheckListAreTakenAFewAtATime() throws Exception {
        List<String> megabyte = Collections.nCopies(1_000, "x".repeat(1_000));
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> allAreHere = new CompletableFuture<>();
        Intake intake = new Intake(batch -> {
            sizes.add(batch.size());
            allAreHere.join();
            return Map.of();
        });
        try (ScratchBroker broker = ScratchBroker.create();
                Connection connection = broker.connect();
                Registrar registrar = new Registrar(with(broker, 40, megabyte), intake)) {
            registrar.start();
            Channel channel = connection.createChannel();
            String queue = broker.name(Names.DSM_REGISTER);

            await().atMost(Duration.ofSeconds(20)).until(() -> channel.messageCount(queue) == 0);
            allAreHere.complete(null);

            await().atMost(Duration.ofSeconds(20)).until(() -> registrar.taken() == 40);
            assertThat(sizes).allMatch(size -> size <= 17);
        }
    }

    private static RegisterOptions withOneMessage(ScratchBroker broker) throws Exception {
        return with(broker, 1, List.of("x"));
    }

    private static RegisterOptions with(ScratchBroker broker, int messages, List<String> checkList) throws Exception {
        String queue = broker.name(Names.DSM_REGISTER);
        try (Connection connection = broker.connect()) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(queue, true, false, false, null);
            for (int part = 1; part <= messages; part++) {
                byte[] body = Json.write(new Registration.Close("c-" + part, "out", checkList, part, messages));
                channel.basicPublish("", queue, null, body);
            }
        }
        return RegisterOptions.at(broker.uri())
                .withNames(queue, broker.name(Names.REJECTED), broker.name(Names.SEND_REJECTED))
                .withPauses(Duration.ofMillis(10), Duration.ofMillis(10));
    }

    @Test
    void aSessionThatCannotBeginLeavesNoConnectionBehind() throws Exception {
        try (ScratchBroker broker = ScratchBroker.create();
                Connection other = broker.connect()) {
            String queue = broker.name(Names.DSM_REGISTER);
            Channel channel = other.createChannel();
            channel.queueDeclare(queue, true, false, false, null);
            // Nobody else may read it, as an account without the right may not.
            channel.basicConsume(queue, false, "", false, true, null, new DefaultConsumer(channel));
            RegisterOptions options = RegisterOptions.at(broker.uri())
                    .withNames(queue, broker.name(Names.REJECTED), broker.name(Names.SEND_REJECTED));

            Connection ours = broker.connect();

            assertThatThrownBy(() -> new Session(ours, options)).isInstanceOf(IOException.class);

            assertThat(ours.isOpen()).isFalse();
        }
    }
}
