package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.protocol.ErrorType;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonsTest {

    @TempDir
    Path temp;

    @Test
    void aFailureOfAConnectionIsToldInWords() {
        assertThat(Reasons.of(new HttpConnectTimeoutException("x"))).isEqualTo("no connection within the time-out");
        assertThat(Reasons.of(new HttpTimeoutException("x"))).isEqualTo("no answer within the time-out");
        assertThat(Reasons.of(new ConnectException())).isEqualTo("connection refused");
        assertThat(Reasons.of(new ConnectException().initCause(new UnresolvedAddressException())))
                .isEqualTo("no such host");
        assertThat(Reasons.of(new UnknownHostException("store.example"))).isEqualTo("no such host");
        assertThat(Reasons.of(new ClosedChannelException())).isEqualTo("the connection was closed");
        assertThat(Reasons.of(new IOException("PUT x was answered with 503"))).isEqualTo("PUT x was answered with 503");
        assertThat(Reasons.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void aFailureOfAFileSaysMoreThanItsPath() {
        assertThat(Reasons.of(new NoSuchFileException("/d/x"))).isEqualTo("/d/x: no such file or directory");
        assertThat(Reasons.of(new AccessDeniedException("/d/x"))).isEqualTo("/d/x: permission denied");
        assertThat(Reasons.of(new FileSystemException("/d/x", null, "Is a directory")))
                .isEqualTo("/d/x: Is a directory");
    }

    @Test
    void aTransferFromAServerThatIsDownSaysSo() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Storages storages = Storages.standard(new StorageRoots(List.of()), new HttpHosts(List.of("*")));
        String url = "http://127.0.0.1:" + port + "/x";
        Transfers transfers = new Transfers(1, Duration.ofMillis(1), new StopSignal());
        assertThatThrownBy(() -> transfers.run(
                        "fetching", url, Duration.ofMinutes(1), () -> storages.fetch(url, temp.resolve("x"), 1)))
                .hasMessageMatching("(?i)fetching failed: " + url + ": connection refused");
    }

    @Test
    void aFailureShowsNoPasswordOfAStorage() {
        assertThat(new AttemptFailure(ErrorType.STAGE_IN, "s3://key:secret@host/in.dat has 3 bytes; the job says 4"))
                .hasMessage("s3://***@host/in.dat has 3 bytes; the job says 4");
    }
}
