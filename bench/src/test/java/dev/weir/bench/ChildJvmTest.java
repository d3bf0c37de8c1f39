package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    /** What the child runs. */
    static final class Child {
        public static void main(String[] args) throws InterruptedException {
            switch (args[0]) {
                case "speak" -> System.out.println("first\nlast " + System.getProperty("given"));
                case "fail" -> throw new IllegalStateException("on purpose");
                default -> Thread.sleep(Duration.ofMinutes(5).toMillis());
            }
        }
    }

    @Test
    void theLastLineComesBackFromAProcessWithTheGivenOptions() throws Exception {
        assertThat(ChildJvm.run(List.of("-Dgiven=7"), Child.class, List.of("speak"), Duration.ofSeconds(60)))
                .isEqualTo("last 7");
    }

    @Test
    void aFailureContainsTheOutputOfTheProcess() {
        assertThatThrownBy(() -> ChildJvm.run(List.of(), Child.class, List.of("fail"), Duration.ofSeconds(60)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with 1")
                .hasMessageContaining("on purpose");
    }

    @Test
    void aProcessThatDoesNotEndIsKilled() {
        assertThatThrownBy(() -> ChildJvm.run(List.of(), Child.class, List.of("sleep"), Duration.ofMillis(300)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("took longer than PT0.3S");
    }
}
