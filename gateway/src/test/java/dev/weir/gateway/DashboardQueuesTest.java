package dev.weir.gateway;

import static dev.weir.gateway.DashboardSite.HOSTILE;
import static dev.weir.gateway.QueueOverRest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.testing.browser.Browser;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The pages of queues in a browser, before a gateway and the queues' core. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DashboardQueuesTest {

    private TestGateway gateway;
    private TestQueues queues;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        gateway = TestGateway.start(directory);
        queues = new TestQueues(gateway.broker);
        browser = Browser.start(gateway.url().toString());
        QueueOverRest busy = new QueueOverRest(gateway, "mail", "{\"max_items\": 20, \"lease_s\": 3600}");
        for (int i = 0; i < 12; i++) {
            busy.push("letter-" + i);
        }
        for (int i = 0; i < 4; i++) {
            busy.popped();
        }
        busy.post("/items", write(Map.of("key", "tomorrow", "not_before", "2099-01-01T00:00:00Z")));
        QueueOverRest dying = new QueueOverRest(gateway, "scans", "{\"attempts\": 1, \"low\": 5, \"lease_s\": 3600}");
        kill(dying, HOSTILE, "no route to " + HOSTILE);
        kill(dying, "host-2", "no route to host-2");
        dying.post("/items", write(Map.of("key", "waits " + HOSTILE, "payload", Map.of("text", HOSTILE))));
        dying.push("leased");
        dying.post("/items", write(Map.of("key", "first", "priority", 2)));
        dying.popped();
        QueueOverRest idle = new QueueOverRest(gateway, "thumbnails", "{}");
        idle.push("a");
        idle.push("b");
        QueueOverRest full = new QueueOverRest(gateway, "uploads", "{\"max_items\": 10, \"lease_s\": 3600}");
        for (int i = 0; i < 9; i++) {
            full.push("u" + i);
        }
        full.popped();
        QueueOverRest held = new QueueOverRest(gateway, "night", "{}");
        held.push("a");
        held.put("/paused", null);
    }

    private static void kill(QueueOverRest queue, String key, String error) throws Exception {
        queue.push(key);
        String token = queue.popped().get("token").asText();
        String done = write(Map.of("token", token, "end", "failed", "error", error));
        assertThat(queue.post("/done", done).status()).isEqualTo(200);
    }

    @AfterAll
    void stop() throws Exception {
        browser.close();
        queues.close();
        gateway.close();
    }

    @BeforeEach
    void operator() {
        browser.look(false, false);
        if (!browser.text("#who").contains("operator")) {
            browser.signIn(gateway.byRole.get(Role.OPERATOR));
        }
        browser.script("document.querySelector('dialog').close()");
    }

    private static String page(QueueOverRest queue) {
        return "#/queue/" + queue.name;
    }

    private void confirm(String word, String says, String outcome) {
        browser.click(word);
        assertThat(browser.text("dialog")).contains(says);
        browser.element("dialog button[type=submit]").click();
        browser.awaitText(outcome);
        browser.click("Close");
        assertThat(browser.has("dialog[open]")).isFalse();
    }

    private String row(String queue) {
        return browser.text("[data-key='" + queue + "']");
    }

    @Test
    void theFirstThingOnTheListIsWhatIsWrong() {
        browser.open("#/queues", "thumbnails: 2 items wait, and no worker has any.");
        assertThat(browser.text(".problems h2")).matches("\\d+ problems, \\d+ notes?");
        assertThat(browser.text(".problems"))
                .contains("scans: 2 items are dead.", "let them wait again with Redrive.")
                .contains("uploads: Full but for what is kept for priority 1: 90 % of its most items are there.")
                .contains("night: It is paused, and 1 item waits.")
                .doesNotContain("mail");
        assertThat((Number) browser.script("return document.querySelector('.problems').getBoundingClientRect().top"))
                .satisfies(top -> assertThat(top.doubleValue()).isLessThan(200));
        List<String> names = browser.driver.findElements(By.cssSelector("tbody tr")).stream()
                .map(one -> one.getDomAttribute("data-key"))
                .toList();
        assertThat(names.indexOf("scans")).isLessThan(names.indexOf("night"));
        assertThat(names.indexOf("night")).isLessThan(names.indexOf("mail"));
        assertThat(row("night")).contains("paused");
        assertThat(row("mail")).contains("running", "8", "1", "4", "65 %");
        assertThat(browser.has("[data-key=scans] strong.bad-text")).isTrue();
    }

    @Test
    void queuesAreFoundByAPartOfTheirName() {
        browser.open("#/queues", "thumbnails");
        browser.element("input[name=search]").sendKeys("AIL" + Keys.ENTER);
        await().untilAsserted(() -> assertThat(browser.text("main table"))
                .contains("mail", "thumbnails")
                .doesNotContain("scans"));
        browser.open("#/queues?search=nothing", "No queue has such a name.");
    }

    @Test
    void whatAQueueDoesIsCountedWhileThePageIsOpen() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        browser.open(page(queue), "the charts begin in a moment");
        queue.end(queue.popped(), "finished");

        await().untilAsserted(() -> assertThat(browser.script(
                        "return document.querySelector('[data-key=\"chart Ends per second\"]')?.ariaLabel ?? ''"))
                .asString()
                .matches("Ends per second, the last .*finished: now .*, at most (< )?0?\\.?[1-9].*"));
        assertThat(browser.text("section[aria-labelledby=since]")).contains("waiting 0", "leased 0", "finished");
        assertThat(browser.has(".chart canvas")).isTrue();
        browser.open("#/queues?search=" + queue.name, queue.name);
        await().untilAsserted(() -> assertThat(row(queue.name)).doesNotContain("…"));
    }

    @Test
    void aQueueShowsItsFiguresItsSettingsAndWhyItsNextItemsWait() {
        browser.open("#/queue/scans", "2 items are dead.");
        assertThat(browser.text("section[aria-labelledby=numbers]"))
                .contains("3 of at most 100,000 items", "2 waiting", "1 leased", "2 attempts", "of at most 1.1 GB");
        assertThat(browser.text("section[aria-labelledby=settings]"))
                .contains("1 failed attempt, 5 lost leases", "10 s, doubled up to 1 h", "10,000, for 14 days")
                .contains("with fewer than 5 items");
        assertThat(browser.text("section[aria-labelledby=next]"))
                .contains("waits " + HOSTILE, "It is the next of its owner and kind");
        browser.open("#/queue/night", "Queue night is paused.");
        browser.open("#/queue/thumbnails", "No worker has asked for kind default.");
        browser.open("#/queue/none", "Not found");
        browser.open("#/queue/", "There is no such page");
    }

    @Test
    void anItemIsLookedUpByItsKey() {
        browser.open("#/queue/scans", "Look up an item");
        WebElement input = browser.element("input[name=key]");
        input.sendKeys("host-2" + Keys.ENTER);
        browser.awaitText("It failed too often, and starts no more unless Redrive");
        assertThat(browser.text("section[aria-labelledby=item]"))
                .contains("1 of at most 1", "no route to host-2", "Payload");
        input.clear();
        input.sendKeys("none" + Keys.ENTER);
        browser.awaitText("An item that has finished or was removed is gone.");
        browser.open("#/queue/mail?key=tomorrow", "Is not to start before 2099-01-01T00:00:00Z.");
        browser.open("#/queue/mail?key=letter-0", "A worker has it.");
    }

    @Test
    void aQueueIsPausedAndResumed() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        queue.push("b");
        JsonNode item = queue.popped();
        browser.open(page(queue), "The next items");

        confirm("Pause", "They go on with what they have, 1 item", "Done. Weir has applied it.");
        assertThat(queue.view().get("paused").asBoolean()).isTrue();
        browser.awaitText("It is paused, and 1 item waits.");
        confirm("Resume", "gives out items again: 1 waiting now", "Done. Weir has applied it.");
        assertThat(queue.view().get("paused").asBoolean()).isFalse();
        queue.end(item, "finished");
        queue.end(queue.popped(), "finished");
    }

    @Test
    void aPurgeSaysHowManyItemsGoAndDoesNothingWhenItIsLeft() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        for (String key : List.of("a", "b", "c")) {
            queue.push(key);
        }
        queue.post("/items", write(Map.of("key", "later", "not_before", "2099-01-01T00:00:00Z")));
        JsonNode item = queue.popped();
        browser.open(page(queue), "The next items");
        browser.click("Purge");
        assertThat(browser.text("dialog"))
                .contains("3 items of queue " + queue.name + " are removed, 2 waiting and 1 later")
                .contains("This cannot be undone.");
        browser.click("Back");
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(2);

        confirm("Purge", "1 leased and 0 dead stay", "Done. Removed: 3 items.");
        assertThat(queue.view().get("waiting").asInt()).isZero();
        await().untilAsserted(() ->
                assertThat(browser.text("[aria-label='Change this queue']")).doesNotContain("Purge"));
        queue.end(item, "finished");
    }

    @Test
    void deadItemsWaitAgainAndAnItemIsRemoved() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"attempts\": 1}");
        kill(queue, "one", "broken");
        kill(queue, "two", "broken");
        browser.open(page(queue), "2 items are dead.");

        confirm("Redrive", "Of 2 dead items", "Done. Waiting again: 2 items.");
        assertThat(queue.view().get("dead").asInt()).isZero();
        browser.open(page(queue) + "?key=one", "Remove");
        confirm("Remove", "The item one is removed from queue " + queue.name, "Done. The item is removed.");
        browser.awaitText("has no such key");
        assertThat(queue.item("GET", "one", "").status()).isEqualTo(404);
        queue.end(queue.popped(), "finished");
    }

    @Test
    void aRedriveWhoseAnswerIsLostIsNotOfferedAgain() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway, "{\"attempts\": 1}");
        kill(queue, "one", "broken");
        kill(queue, "two", "broken");
        browser.open(page(queue), "2 items are dead.");
        browser.click("Redrive");
        browser.script(
                "const whole = fetch; window.fetch = async (...all) => { await whole(...all); window.fetch = whole; throw new TypeError('lost'); }");
        browser.element("dialog button[type=submit]").click();

        browser.awaitText("It is not known whether this was done");
        assertThat(browser.text("dialog"))
                .contains("Look at the page before you do it again.", "Close")
                .doesNotContain("Try again");
    }

    @Test
    void aQueueIsDeletedWhenNoWorkerHasItemsOfIt() throws Exception {
        QueueOverRest queue = new QueueOverRest(gateway);
        queue.push("a");
        queue.push("b");
        JsonNode item = queue.popped();
        browser.open(page(queue), "The next items");
        confirm("Delete", "workers have 1 item of it, so this is refused", "Not now: workers have items");
        assertThat(queue.view().get("waiting").asInt()).isEqualTo(1);
        queue.end(item, "finished");
        browser.awaitText("0 leased");

        confirm("Delete", "is gone, with its settings, its counts and 1 item", "Done. Removed: 1 item.");
        browser.awaitText("those with problems first");
        assertThat(queue.get("").status()).isEqualTo(404);
        assertThat(browser.has("[data-key='" + queue.name + "']")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"#/queue/scans", "#/queue/scans?key=", "#/queue/scans?key=waits "})
    void storedTextStaysText(String page) {
        String key = page.contains("?") ? URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8) : "";
        browser.go(page + key);
        browser.awaitText("<img src=x");
        if (!key.isEmpty()) {
            browser.click("Remove");
            assertThat(browser.text("dialog")).contains(HOSTILE);
        }

        assertThat(browser.script("return window.hacked")).isNull();
        assertThat(browser.has("main img, main script, dialog img, dialog script"))
                .isFalse();
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void whatATokenMayNotDoIsNotOffered() throws Exception {
        browser.signIn(gateway.byRole.get(Role.VIEWER));
        browser.open("#/queue/scans?key=host-2", "no route to host-2");
        assertThat(browser.buttons()).containsExactly("Look up");
        Scope scope = new Scope(null, null, null, null, List.of("scans"), List.of("default"), null);
        String narrow = gateway.token("narrow", Role.OPERATOR, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/whoami", narrow, null).status() == 200);
        browser.signIn(narrow);
        browser.open("#/queue/mail", "The next items");
        assertThat(browser.buttons()).containsExactly("Look up");
        browser.open("#/queue/scans?key=host-2", "no route to host-2");
        assertThat(browser.buttons()).contains("Pause").doesNotContain("Remove", "Redrive", "Purge", "Delete");
        browser.click("Sign out");
        browser.element("#token").sendKeys(gateway.byRole.get(Role.FEEDER) + Keys.ENTER);
        browser.awaitText("the token of a feeder");
    }

    @Test
    void theNextItemsLeadToTheirItemByKeyboardAndTextThatIsTypedStays() {
        browser.open("#/queue/mail", "letter-5");
        browser.element("section[aria-labelledby=next] a[href$='key=letter-5']").sendKeys(Keys.ENTER);
        browser.awaitText("It waits for its turn: 1 item of its owner and kind before it.");
        await().untilAsserted(() -> assertThat(
                        browser.driver.switchTo().activeElement().getDomAttribute("id"))
                .isEqualTo("item"));
        browser.element("section[aria-labelledby=next] a[href$='key=letter-5']").sendKeys(Keys.ENTER);
        assertThat(browser.driver.switchTo().activeElement().getDomAttribute("id"))
                .as("it is shown already")
                .isEqualTo("item");
        WebElement input = browser.element("input[name=key]");
        input.clear();
        input.sendKeys("half a k");
        browser.awaitText("waiting 8");
        assertThat(input.getDomProperty("value")).isEqualTo("half a k");
        assertThat(browser.driver.switchTo().activeElement()).isEqualTo(input);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{waiting: 3, leased: 1}                     | ",
                "{waiting: 3}                                | idle",
                "{leased: 90}                                | full",
                "{leased: 89}                                | full",
                "{leased: 81}                                | ",
                "{bytes: 901}                                | bytes",
                "{waiting: 1, leased: 1, oldest_s: 3599}     | ",
                "{waiting: 1, leased: 1, oldest_s: 3600}     | oldest",
                "{waiting: 1, paused: true}                  | paused",
                "{paused: true}                              | ",
                "{dead: 1}                                   | dead",
                "{now: {popped: 1, finished: 19, failed: 1}} | failed",
                "{now: {popped: 1, finished: 20, failed: 1}} | ",
                "{waiting: 9, now: {popped: 1}}              | ",
                "{now: {lost: 0.1}}                          | lost",
                "{waiting: 95, dead: 2, oldest_s: 9000}      | full,dead,idle,oldest"
            })
    void whatIsWrongWithAQueueIsNamed(String figures, String expected) {
        Object found = browser.driver.executeAsyncScript("""
                const [given, done] = arguments;
                const queue = {waiting: 0, later: 0, leased: 0, dead: 0, bytes: 0, paused: false,
                    settings: {max_items: 100, max_bytes: 1000, reserve: 0.1, max_dead: 10, lease_s: 60}, ...given};
                import("/ui/troubles.js").then(({troubles}) => done(troubles(queue, given.now).map((one) => one.of).join(",")));""", browser.script("return " + figures));
        assertThat(found).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @CsvSource({
        "queues, #/queues, thumbnails",
        "queue, #/queue/scans, waiting 2",
        "item, #/queue/scans?key=host-2, waiting 2",
        "queue-busy, #/queue/mail, waiting 8",
    })
    void axeFindsNothingSeriousInLightAndInDarkOnAPhone(String name, String hash, String text) throws Exception {
        browser.open(hash, text);
        await().untilAsserted(() ->
                assertThat(browser.text("main")).doesNotContain("Loading").doesNotContain("…"));
        browser.shoot(name, true, false);
        for (boolean phone : new boolean[] {false, true}) {
            browser.shoot(name, phone, phone);
            assertThat(browser.accessibilityProblems())
                    .as(name + (phone ? " dark, on a phone" : " light"))
                    .isEmpty();
            assertThat((Long) browser.script("return document.documentElement.scrollWidth - innerWidth"))
                    .as("nothing is wider than the page")
                    .isLessThanOrEqualTo(0);
        }
    }

    @Test
    void axeFindsNothingSeriousInAConfirmation() throws Exception {
        browser.open("#/queue/scans", "waiting");
        browser.click("Purge");
        browser.shoot("queue-purge", false, false);
        assertThat(browser.accessibilityProblems()).isEmpty();
    }
}
