package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedPipeTest {

    @TempDir
    Path temp;

    /** A process that has escaped may keep the log open for ever, and each job would leave a thread behind. */
    @Test
    void aReadFromAPipeThatSomebodyKeepsOpenEndsWhenTheReaderIsClosed() throws Exception {
        NamedPipe pipe = NamedPipe.create(temp.resolve("pipe"));
        CountDownLatch begun = new CountDownLatch(1);
        try (OutputStream escaped = new FileOutputStream(temp.resolve("pipe").toFile());
                InputStream reader = pipe.reader()) {
            pipe.close();
            Thread pump = new Thread(() -> readAll(reader, begun));
            pump.setDaemon(true);
            pump.start();
            escaped.write(1);
            assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
            reader.close();

            pump.join(TimeUnit.MINUTES.toMillis(1));
            assertThat(pump.isAlive()).isFalse();
        }
    }

    private static void readAll(InputStream from, CountDownLatch begun) {
        try {
            while (from.read() >= 0) {
                begun.countDown();
            }
        } catch (IOException e) {
            // Closed, as it should be.
        }
    }
}
