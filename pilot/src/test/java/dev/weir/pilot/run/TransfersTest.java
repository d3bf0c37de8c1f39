package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.run.StopSignal.StoppedException;
import dev.weir.pilot.storage.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TransfersTest {

    private static final String URL = "https://anna:secret@store/x";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final StopSignal stop = new StopSignal();
    private final Transfers transfers = new Transfers(3, Duration.ofMillis(1), stop);
    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void whatFailsIsTriedAgain() throws Exception {
        transfers.run("copying", "x", LONG, () -> failUntil(3));
        assertThat(tries).hasValue(3);
    }

    @Test
    void theLastFailureIsToldWithWhatWasDone() {
        assertThatThrownBy(() -> transfers.run("copying", "x", LONG, () -> failUntil(9)))
                .isInstanceOf(IOException.class)
                .hasMessage("copying failed: x: try 3");
        assertThat(tries).hasValue(3);
    }

    @Test
    void aUrlIsToldOnceAndWithoutItsPassword() {
        assertThatThrownBy(() -> transfers.run("fetching", URL, LONG, () -> {
                    throw new RefusedException("GET " + URL + " was answered with 403");
                }))
                .hasMessage("fetching failed: GET https://***@store/x was answered with 403");
    }

    @Test
    void whatIsRefusedOrMeetsAFullDiskIsNotTriedAgain() {
        for (IOException failure :
                new IOException[] {new RefusedException("no"), new IOException("x: No space left on device")}) {
            tries.set(0);
            assertThatThrownBy(() -> transfers.run("copying", "x", LONG, () -> {
                        tries.incrementAndGet();
                        throw failure;
                    }))
                    .hasRootCause(failure);
            assertThat(tries).hasValue(1);
        }
    }

    @Test
    void aHangingTransferEndsWithItsTime() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> transfers.run("copying", "x", Duration.ofMillis(20), never::await))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was not done after");
    }

    @Test
    void aStopEndsATransferThatHangs() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        assertThatThrownBy(() -> transfers.run("copying", "x", LONG, () -> {
                    stop.request(Cause.CANCEL, "enough");
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .isInstanceOf(StoppedException.class)
                .hasMessage("enough");
        Awaitility.await().until(() -> interrupted.getCount() == 0);
    }

    @Test
    void aTransferThatWouldFillTheDiskIsGivenUp() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Transfers guarded = new Transfers(3, LONG, stop, () -> DiskFull.below(Long.MAX_VALUE, Path.of("/")));
        assertThatThrownBy(() -> guarded.run("copying", "x", LONG, () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("bytes free")
                .matches(DiskFull::isCause);
        Awaitility.await().until(() -> interrupted.getCount() == 0);
    }

    private void failUntil(int success) throws IOException {
        if (tries.incrementAndGet() < success) {
            throw new IOException("try " + tries.get());
        }
    }
}
