package dev.weir.pilot.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BrokerSettingsTest {

    @Test
    void theTextOfSettingsHoldsNoPassword() {
        assertThat(BrokerSettings.of("amqp://anna:secret@broker/%2f", List.of("cpu")))
                .asString()
                .contains("broker")
                .doesNotContain("secret");
    }
}
