package dev.weir.gateway.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LogRootsTest {

    private static final Path LOG = Path.of("/data/run/a.log");

    /** The user of a test may be root, who may read everything. */
    @Test
    void whatTheUserMayNotReadIsNotReadLaterEitherButAStorageThatFailsMayBe() {
        assertThat(LogRoots.lasts(LOG, new AccessDeniedException(LOG.toString())))
                .isTrue();
        assertThat(LogRoots.lasts(LOG, new FileSystemException(LOG.toString(), null, "Stale file handle")))
                .isFalse();
        assertThat(LogRoots.lasts(LOG, new NoSuchFileException(LOG.toString()))).isFalse();
    }
}
