package dev.weir.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {

    @Test
    void thePortOfTheLastTimeIsTakenIfItIsFree() throws IOException {
        int last = FreePort.any();
        assertThat(FreePort.orLast(0, last)).isEqualTo(last);

        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();
            assertThat(FreePort.orLast(0, taken)).isPositive().isNotEqualTo(taken);
            assertThatThrownBy(() -> FreePort.orLast(taken, last)).hasMessageContaining("port " + taken);
        }
    }
}
