package dev.weir.job.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.dsm.DsmFailure;
import dev.weir.connectors.dsm.DsmReader;
import dev.weir.job.options.DsmOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

class DsmAwayTest {

    @Test
    void thatNobodyListensAtDsmsAddressIsKnownWithinSeconds() throws Exception {
        Configuration configuration = new Configuration();
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            configuration.set(DsmOptions.URL, "http://127.0.0.1:" + closed.getLocalPort());
        }
        try (DsmReader reader = DsmAccess.of(configuration).open()) {
            Throwable failure = reader.page("d", 0, 10)
                    .handle((page, why) -> DsmAccess.cause(why))
                    .get(10, TimeUnit.SECONDS);

            assertThat(failure)
                    .isInstanceOfSatisfying(
                            DsmFailure.class, known -> assertThat(known.kind()).isEqualTo(DsmFailure.Kind.UNAVAILABLE))
                    .hasMessageContaining("http://127.0.0.1");
        }
    }
}
