package dev.weir.gateway;

import static dev.weir.gateway.DashboardSite.HOSTILE;
import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that rest, their answers, owners and limit groups, on the pages of queues in a browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DashboardAnswersTest {

    private TestGateway gateway;
    private TestQueues queues;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
        browser = Browser.start(gateway.url().toString());
        QueueOverRest hosts = new QueueOverRest(gateway, "hosts", """
                {"fresh_s": 518400, "stale_s": 86400, "refresh": "asked", "rank": {"weights": {"level": 2}}}""");
        hosts.post("/items", """
                {"key": "host-1", "again": {"after_s": 5400, "min_s": 60, "max_s": 172800, "jitter_s": 30}}""");
        hosts.finish(hosts.popped(), HOSTILE, Map.of());
        hosts.post("/items", """
                {"key": "host-2", "again": {"cron": "0 3 * * 1-5", "zone": "Europe/Paris"}}""");
        hosts.finish(hosts.popped(), "closed", Map.of("fresh_s", 0, "stale_s", 0));
        assertThat(hosts.answer("host-1", "").status()).isEqualTo(200);
        browser.signIn(gateway.byRole.get(Role.OPERATOR));
    }

    @AfterAll
    void stop() throws Exception {
        browser.close();
        queues.close();
        gateway.close();
    }

    @Test
    void keysThatRestAreShownWithTheirRuleAndTheirAnswer() {
        browser.open("#/queue/hosts", "Keys that rest");
        assertThat(browser.text("section[aria-labelledby=resting]"))
                .contains("90 min after the end of a run; sooner after a new result and later after the same,")
                .contains("from 1 min to 2 days; up to 30 s later, by chance")
                .contains("at the times of cron 0 3 * * 1-5, Europe/Paris")
                .contains(" old, fresh for 6 days");
        assertThat(browser.text("section[aria-labelledby=numbers]"))
                .contains("2 keys of at most 100,000", "1 question");
        assertThat(browser.text("section[aria-labelledby=settings]"))
                .contains(
                        "fresh for 6 days, and kept for 1 day after that",
                        "at the first question in the last tenth of their lives")
                .contains("by ranker weighted: level × 2", "30 s");
        browser.open("#/queues", "Resting");
        assertThat(browser.text("[data-key=hosts]")).contains("2");
    }

    @Test
    void theAnswerOfAKeyStaysTextAndGoesWithIt() {
        browser.open("#/queue/hosts?key=host-1", "Rests until");
        assertThat(browser.text("section[aria-labelledby=item]")).contains("Runs again", "Next run", "Last result");
        browser.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        browser.awaitText("<img src=x");
        assertThat(browser.has("main img, main script")).isFalse();
        browser.click("Remove");
        assertThat(browser.text("dialog")).contains("from queue hosts, with its answer and its next date.");
        browser.script("document.querySelector('dialog').close()");
        assertThat(browser.script("return window.hacked")).isNull();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aPayloadWithAnIntegerThatABrowserRoundsSaysSo() throws Exception {
        QueueOverRest numbers = new QueueOverRest(gateway, "numbers", "{}");
        numbers.post("/items", "{\"key\": \"large\", \"payload\": {\"id\": 9007199254740993}}");
        numbers.post("/items", "{\"key\": \"small\", \"payload\": {\"id\": 9007199254740991, \"part\": 0.1}}");
        browser.open("#/queue/numbers?key=large", "Payload");
        assertThat(payload()).contains("are rounded here");
        browser.open("#/queue/numbers?key=small", "small");
        await().untilAsserted(
                        () -> assertThat(payload()).contains("9007199254740991").doesNotContain("rounded"));
        assertThat(browser.text("section[aria-labelledby=numbers]"))
                .contains("Died since it was made", "0 items; dropped");
        numbers.send(Role.OPERATOR, "DELETE", "", null);
    }

    private String payload() {
        return (String) browser.script("return document.querySelector('#main details').textContent");
    }

    @Test
    void axeFindsNothingSeriousInLightAndInDarkOnAPhone() throws Exception {
        browser.open("#/queue/hosts?key=host-1", "Keys that rest");
        await().untilAsserted(() ->
                assertThat(browser.text("main")).doesNotContain("Loading").doesNotContain("…"));
        for (boolean phone : new boolean[] {false, true}) {
            browser.shoot("queue-resting", phone, phone);
            assertThat(browser.accessibilityProblems())
                    .as(phone ? "dark, on a phone" : "light")
                    .isEmpty();
            assertThat((Long) browser.script("return document.documentElement.scrollWidth - innerWidth"))
                    .isLessThanOrEqualTo(0);
        }
        browser.look(false, false);
    }

    @Test
    void aHeldGroupIsShownWithWhatWaitsAndItsHoldIsEnded() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "crawl", "{\"lease_s\": 3600}");
        for (String key : List.of("a", "b", "c")) {
            queue.post("/items", write(Map.of("key", key, "owner", "org-" + key, "groups", List.of(HOSTILE))));
        }
        JsonNode first = queue.popped();
        String token = first.get("token").asText();
        queue.post("/hold", write(Map.of("token", token, "group", HOSTILE, "hold_s", 3600)));
        assertThat(queue.pop().json().get("items")).isEmpty();

        browser.open("#/queues", "1 limit group, held ones first");
        assertThat(browser.text("[aria-labelledby=groups] tbody"))
                .contains(HOSTILE)
                .contains("1, no limit");
        browser.click("End hold");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("Done.");
        browser.click("Close");
        JsonNode second = queue.popped();

        browser.open("#/queue/crawl", "3 owners, those with the most items first");
        assertThat(browser.text("[data-key='owner org-c']")).contains("org-c");
        queue.end(first, "finished");
        queue.end(second, "finished");
        queue.send(Role.OPERATOR, "DELETE", "", null);
    }
}
