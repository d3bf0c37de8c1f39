package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.ErrorType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CapturedOutputTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void whatFitsIsWrittenWhole() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CapturedOutput captured = new CapturedOutput(new ByteArrayInputStream(new byte[100]), out, 100);
        assertThat(captured.await(SOON)).isNull();
        assertThat(out.size()).isEqualTo(100);
        assertThat(captured.failed()).isNotDone();
    }

    @Test
    void oneByteTooManyIsAFailure() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CapturedOutput captured = new CapturedOutput(new ByteArrayInputStream(new byte[101]), out, 100);
        assertThat(captured.await(SOON).getMessage()).contains("longer than 100 bytes");
        assertThat(captured.failed()).isDone();
        assertThat(out.size()).isLessThanOrEqualTo(100);
    }

    @Test
    void aFullDiskIsAFailureHoweverTheProgramEnds() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        AttemptFailure failure = new CapturedOutput(new ByteArrayInputStream(new byte[1]), full, 100).await(SOON);
        assertThat(failure.type()).isEqualTo(ErrorType.DISK_FULL);
    }

    @Test
    void outputThatDoesNotEndIsNotWhole() throws IOException {
        AtomicBoolean closed = new AtomicBoolean();
        InputStream open = new PipedInputStream(new PipedOutputStream()) {
            @Override
            public void close() throws IOException {
                closed.set(true);
                super.close();
            }
        };
        AttemptFailure failure =
                new CapturedOutput(open, OutputStream.nullOutputStream(), 100).await(Duration.ofMillis(50));
        assertThat(failure.type()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(closed).isTrue();
    }
}
