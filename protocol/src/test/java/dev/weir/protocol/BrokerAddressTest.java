package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://alice:7/Ab+c@host",
                "amqp://alice:7?Ab+c@host",
                "amqp://alice:7#Ab+c@host",
                "amqp://alice:7#Ab+c",
                "amqp://alice:Ab+c@my_host",
                "amqp://alice:Ab+c @host",
                "amqp://alice:Ab+c@host:70000",
                "http://alice:Ab+c@host",
                "alice:Ab+c@host",
                ""
            })
    void anAmbiguousAddressIsRefusedWithoutBeingQuoted(String address) {
        assertThatThrownBy(() -> BrokerAddress.parse(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amqp://user:password@host")
                .hasMessageNotContaining("Ab+c")
                .hasMessageNotContaining("alice")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://host",
                "amqps://host/v?heartbeat=5",
                "AMQP://a%40b:p%2F%40@host:5673/%2f",
                "amqp://guest:guest@[::1]:5672/v"
            })
    void anEncodedAddressIsAccepted(String address) {
        assertThat(BrokerAddress.parse(address)).hasToString(address);
    }

    @Test
    void theHostIsRead() {
        assertThat(BrokerAddress.parse("amqp://a:b@host:5673/v").getHost()).isEqualTo("host");
    }
}
