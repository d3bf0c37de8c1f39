package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In the same thread, JUnit can only interrupt a test that takes too long; one that spins or waits for a socket goes on for ever. */
class TimeoutTest {

    private static Thread ofTheClass;

    @BeforeAll
    static void look() {
        ofTheClass = Thread.currentThread();
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void aTestWithATimeoutRunsInAThreadThatNobodyHasToWaitFor() {
        assertThat(Thread.currentThread()).isNotSameAs(ofTheClass);
    }
}
