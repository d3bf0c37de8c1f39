package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages of queues where Weir runs without queues. */
@Timeout(120)
class DashboardWithoutQueuesTest {

    @Test
    void aGatewayWithoutQueuesSaysSoAndWhatToDo(@TempDir Path directory) throws Exception {
        try (TestGateway bare = TestGateway.start(directory);
                Browser other = Browser.start(bare.url().toString())) {
            other.signIn(bare.byRole.get(Role.OPERATOR));
            for (String page : List.of("#/queues", "#/queue/scans")) {
                other.open(page, "There are no queues here");
                assertThat(other.text("main"))
                        .contains("Weir runs without queues", "weir.queues.enabled: true", "nothing is wrong");
                assertThat(other.text("#notice")).isEmpty();
            }
            other.open("#/queues", "There are no queues here");
            assertThat(other.text("#nav a[aria-current=page]")).isEqualTo("Queues");
            other.shoot("no-queues", false, false);
            assertThat(other.accessibilityProblems()).isEmpty();
            try (TestQueues late = new TestQueues(bare.broker)) {
                // The gateway looks for the queues once a second.
                await().until(() -> bare.send("GET", "/queue", bare.byRole.get(Role.OPERATOR), null)
                                .status()
                        == 200);
                other.driver.navigate().refresh();
                other.awaitText("No queue yet: PUT /queue/NAME makes one");
            }
        }
    }
}
