package dev.weir.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LinkTest {

    private final ScriptedBroker broker = new ScriptedBroker();

    @Test
    void itConnectsAgainAfterAnErrorAndLeavesNoConnection() {
        AtomicInteger tries = new AtomicInteger();
        broker.on("connect weir gateway, hears", () -> {
            if (tries.incrementAndGet() == 1) {
                throw new Error("no thread can be started");
            }
        });

        try (Link link = broker.link(new Notices())) {
            await().until(() -> link.trouble().isEmpty());

            assertThat(broker.calls)
                    .containsSubsequence("connect weir gateway, sends", "abort", "connect weir gateway, sends");
        }
    }
}
