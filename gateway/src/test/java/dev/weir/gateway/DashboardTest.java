package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The dashboard in a browser, before a gateway with broker, database and the scheduling core. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DashboardTest {

    private TestGateway gateway;
    private DashboardSite site;
    private MirrorRows rows;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        site = new DashboardSite(directory);
        gateway = site.gateway;
        rows = site.rows;
        browser = site.browser;
    }

    @AfterAll
    void stop() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    @BeforeEach
    void operator() {
        browser.look(false, false);
        if (!browser.has("#who .name") || !browser.text("#who").contains("operator")) {
            browser.signIn(gateway.byRole.get(Role.OPERATOR));
        }
        if (browser.has("dialog[open]")) {
            browser.script("document.querySelector('dialog').close()");
        }
    }

    @Test
    void theTokenIsAskedForOnceAndStandsInNoAddress() {
        browser.go("#/");
        browser.script("sessionStorage.clear()");
        browser.driver.navigate().refresh();
        WebElement input = browser.element("#token");
        assertThat(input.getDomAttribute("type")).isEqualTo("password");
        input.sendKeys("weir_wrong" + Keys.ENTER);
        browser.awaitText("the token in Authorization is unknown");
        input.clear();
        input.sendKeys(gateway.byRole.get(Role.PILOT) + Keys.ENTER);
        browser.awaitText("the token of a pilot");
        input.clear();
        input.sendKeys(gateway.byRole.get(Role.OPERATOR) + Keys.ENTER);
        browser.awaitText("What waits, and why");

        browser.driver.navigate().refresh();
        browser.awaitText("What waits, and why");
        assertThat(browser.driver.getCurrentUrl()).doesNotContain("weir_");
        browser.click("Sign out");
        browser.element("#token");
        assertThat(browser.script("return sessionStorage.length")).isEqualTo(0L);
    }

    @Test
    void theFirstThingOnThePageIsWhatIsWrong() {
        browser.open("#/", "Pool gpu has no pilot, and 50 jobs wait.");
        browser.awaitText("Jobs of task big fail: 3000 of 48000 that ended.");

        assertThat(browser.text("main h2")).matches("\\d+ problems, \\d+ notes");
        assertThat(browser.text(".problems"))
                .contains("--executables DIR --pool gpu")
                .contains("1 of 3 pilots of pool cpu were lost within the last hour");
        assertThat(((Number) browser.script("return document.querySelector('.problems').getBoundingClientRect().top"))
                        .intValue())
                .isLessThan(200);
    }

    @Test
    void aTaskSaysWhyItDoesNotRunAndWhatItsJobsFailOf() throws Exception {
        browser.open("#/task/stuck", "Why nothing more starts: Pool gpu has no pilots, and 20 jobs wait for one.");
        browser.open("#/task/big", "Stage in: 1 job");
        browser.awaitText("store.example does not answer");
        assertThat(browser.element("a[href='https://store.example/2.log']").getDomAttribute("rel"))
                .contains("noopener");
        browser.awaitText("Time left: ");
        browser.open("#/task/live-4", "Rank and commands");
        assertThat(browser.text("section[aria-labelledby=commands]")).contains("rank 5", "operator", "applied");
        assertThat(gateway.put("/task/live-4/rank?wait=30", "{\"rank\": 6}").status())
                .isEqualTo(200);
        browser.awaitText("Below is the rank as this gateway has seen it since it started, for at most six hours.");
        browser.shoot("commands", false, false);
    }

    @Test
    void aJobShowsItsAttemptItsErrorAndItsLog() {
        browser.open("#/job/big.2", "Error of attempt 2: the input could not be fetched");
        browser.awaitText("https://store.example/2.log");
        assertThat(browser.text("section[aria-labelledby=attempts]"))
                .contains("the program ended with an error (exit code 3)", "node9-4", "node1-1", "<img src=x");
        browser.open("#/job/big.3", "file:///data/big/3.log");
        assertThat(browser.has("main a[href^=file]")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"#/", "#/task/big", "#/task/held", "#/job/big.1", "#/limits", "#/rejected"})
    void storedTextStaysText(String page) {
        browser.go(page);
        browser.awaitText("<img src=x");

        assertThat(browser.script("return window.hacked")).isNull();
        assertThat(browser.has("main img, main script, main [href^='javascript:']"))
                .isFalse();
        String policy = (String) browser.driver.executeAsyncScript(
                "fetch('/').then(r => arguments[0](r.headers.get('content-security-policy')))");
        assertThat(policy).contains("script-src 'self';").doesNotContain("unsafe");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "#/task/live-1 | Set rank     | rank=7                | in place of 5                | SELECT base_rank = 7 FROM task_dat WHERE uid = 'live-1'",
                "#/task/live-1 | Retry failed |                       | 1 failed file                | SELECT count(*) = 0 FROM job_dat WHERE task_uid = 'live-1' AND status = 'Failed'",
                "#/task/live-2 | Pause        |                       | no further files             | SELECT state = 'paused' FROM task_dat WHERE uid = 'live-2'",
                "#/task/live-3 | Cancel       |                       | pilots stop 0 running jobs   | SELECT canceled FROM task_dat WHERE uid = 'live-3'",
                "#/task/live-4 | Close        |                       | output dataset closes        | SELECT true",
                "#/pool/gpu    | Pause        |                       | until it is resumed          | SELECT true",
                "#/pool/gpu    | Drain        |                       | takes no new files           | SELECT true",
                "#/pool/gpu    | Resume       |                       | takes files of its tasks     | SELECT true",
                "#/pilots?search=node7-1 | Drain   |                  | finishes                     | SELECT true",
                "#/pilots?search=node7-1 | Exclude |                  | starts again elsewhere       | SELECT true",
                "#/pilots?search=node7-1 | Include |                  | gets jobs again              | SELECT true",
                "#/limits?search=tape | Change      | max_in_flight=5  | 1 job in flight              | SELECT true",
                "#/limits?search=tape | Lift        |                  | 0 files that wait for it     | SELECT true",
                "#/limits      | Limit a group | group=magnet&max_starts=2&window_s=60 | 0 lets nothing start         | SELECT true"
            })
    void anActionSaysWhatWillHappenThenActsAndShowsTheOutcome(
            String page, String word, String input, String says, String acted) throws Exception {
        browser.go(page);
        browser.click(word);
        assertThat(browser.text("dialog")).contains(says);
        for (String pair : input == null ? new String[0] : input.split("&")) {
            WebElement field = browser.element("dialog input[name=" + pair.split("=")[0] + "]");
            field.clear();
            field.sendKeys(pair.split("=")[1]);
        }
        browser.element("dialog button[type=submit]").click();

        browser.awaitText("Done. Weir has applied it.");
        assertThat(gateway.database.value(acted)).isEqualTo("t");
        browser.click("Close");
        assertThat(browser.has("dialog[open]")).isFalse();
        site.settled(page, word);
    }

    @Test
    void aRejectedMessageIsCorrectedAndSentAgainAndAnotherDropped() throws Exception {
        browser.open("#/rejected", "Rejected messages");
        browser.click("Send again");
        WebElement message = browser.element("dialog textarea");
        assertThat(message.getDomProperty("value")).contains("lacking-1");
        message.clear();
        message.sendKeys(
                "{\"uid\": \"mended\", \"executable\": \"x\", \"device_type\": \"CPU\", \"mode\": \"Map\", \"dat_in_uid\": \"i\","
                        + " \"dat_out_uid\": \"o\", \"dat_stor_url\": \"file:///d\", \"dat_out_url\": \"o\"}");
        browser.element("dialog button[type=submit]").click();

        browser.awaitText("Sent. If something is still wrong");
        browser.click("Close");
        await().until(() -> gateway.get("/task/mended").status() == 200);
        await().untilAsserted(() -> assertThat(browser.text("main table")).doesNotContain("lacking-1"));
        browser.script("HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }");
        browser.click("Download");
        await().until(() ->
                String.valueOf(browser.script("return window.saved")).endsWith(".json"));
        browser.click("Drop");
        assertThat(browser.text("dialog")).contains("cannot be had back");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("Dropped.");
        browser.click("Close");
        await().untilAsserted(() -> assertThat(browser.text("main table")).doesNotContain("lacking-2"));
    }

    @Test
    void aPlacementShowsHowFullItsWorkersAreAndSaysWhatToDoWithoutOne() throws Exception {
        site.unplace();
        browser.open("#/placement", "./weir place --out writes it into its directory");
        site.place(60);
        browser.open("#/placement?status=online", "3 replicas found no worker with room.");
        assertThat(browser.text("main"))
                .contains("worker-00", "100 % full", "raw-2026")
                .doesNotContain("worker-02");
        browser.element(".pager a").click();
        browser.awaitText("worker-59");
    }

    @Test
    void anActionThatIsRefusedSaysWhyAndOneThatIsLeftDoesNothing() throws Exception {
        site.send("refused-1", "priority");
        browser.go("#/task/refused-1");
        browser.click("Set priority");
        browser.element("dialog input[name=position]").sendKeys("99");
        browser.element("dialog input[name=priority]").sendKeys("1");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("Refused: ");
        browser.click("Close");

        browser.click("Cancel");
        assertThat(browser.text("dialog")).contains("This cannot be undone.");
        browser.driver.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        await().until(() -> !browser.has("dialog[open]"));
        assertThat(gateway.get("/task/refused-1").json().get("canceled").asBoolean())
                .isFalse();
    }

    @Test
    void whatATokenMayNotDoIsNotOffered() throws Exception {
        browser.signIn(gateway.byRole.get(Role.VIEWER));
        browser.open("#/task/big", "List of jobs");
        assertThat(browser.buttons()).containsExactly("Filter");
        browser.open("#/limits", "20 of 20 – full");
        assertThat(browser.buttons()).containsExactly("Filter");
        assertThat(browser.text("#nav")).contains("Limits", "Placement").doesNotContain("Rejected");

        Scope scope = new Scope(List.of("big*"), List.of("gpu"), List.of(), null);
        String narrow = gateway.token("narrow", Role.OPERATOR, Instant.now().plusSeconds(600), scope);
        await().until(() -> gateway.send("GET", "/whoami", narrow, null).status() == 200);
        browser.signIn(narrow);
        browser.open("#/task/big", "List of jobs");
        assertThat(browser.buttons())
                .contains("Cancel", "Pause", "Retry failed")
                .doesNotContain("Set priority");
        browser.open("#/task/stuck", "Pool gpu has no pilots");
        assertThat(browser.buttons()).containsExactly("Filter");
        browser.open("#/pool/gpu", "Its newest open tasks");
        assertThat(browser.buttons()).contains("Drain");
        browser.open("#/pilots", "node1-1");
        assertThat(browser.buttons()).containsExactly("Filter");
        browser.open("#/limits", "20 of 20 – full");
        assertThat(browser.buttons()).contains("Limit a group", "Lift");
        browser.open("#/rejected", "dat_in_uid is required");
        assertThat(browser.buttons()).as("with a scope").isEmpty();
        browser.click("Sign out");
    }

    @Test
    void aChangeIsShownByItselfAndLeavesFocusAndTextAlone() throws Exception {
        browser.open("#/tasks?state=open&search=fresh", "No task is like that.");
        WebElement owner = browser.element("input[name=owner]");
        owner.sendKeys("half a na");
        browser.awaitText("● live");
        rows.task("fresh-1", "cpu", "active").counts(10, 5, 0, 5, 0).write();

        browser.awaitText("fresh-1");
        browser.awaitText("5 of 10 jobs");
        assertThat(browser.driver.switchTo().activeElement()).isEqualTo(owner);
        assertThat(owner.getDomProperty("value")).isEqualTo("half a na");
        rows.task("fresh-1", "cpu", "active").counts(10, 1, 0, 9, 0).write();
        browser.awaitText("9 of 10 jobs");
        assertThat(browser.script("return document.querySelector('[data-key=fresh-1] .finished').style.flexGrow"))
                .isEqualTo("9");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void manyTasksAreFilteredAndPagedByTheServer() {
        browser.open("#/tasks?state=open", "Waits because");
        WebElement search = browser.element("input[name=search]");
        search.clear();
        search.sendKeys("many-" + Keys.ENTER);
        browser.awaitText("many-54");
        await().until(() -> browser.script("return document.querySelectorAll('tbody tr').length")
                .equals(50L));
        assertThat(browser.driver.getCurrentUrl()).contains("search=many-");
        browser.element(".pager a").click();
        browser.awaitText("many-00");
        assertThat(browser.text("main")).contains("First page").doesNotContain("many-54");
        browser.driver.navigate().back();
        browser.awaitText("many-54");
        browser.open("#/tasks?state=open&why=paused", "held");
        await().untilAsserted(() -> assertThat(browser.text("main table")).doesNotContain("many-54"));
    }

    @Test
    void whatIsNotThereOrCannotBeReadIsSaidWithWhatToDo() throws Exception {
        browser.open("#/task/none", "Not found");
        browser.awaitText("What was sent a moment ago may still come.");
        browser.open("#/nonsense", "There is no such page");
        browser.open("#/pilots?search=nobody", "start one with ./weir pilot");
        gateway.database.run("ALTER VIEW job_all RENAME TO job_away");
        try {
            browser.go("#/job/big.2");
            browser.awaitText("This cannot be shown now");
            browser.awaitText("The database does not answer now");
        } finally {
            gateway.database.run("ALTER VIEW job_away RENAME TO job_all");
        }
        browser.click("Try again");
        browser.awaitText("Error of attempt 2");
    }

    @Test
    void aTokenThatBecomesInvalidIsAskedForAgain() throws Exception {
        String shortly = gateway.token("shortly", Role.VIEWER, Instant.now().plusSeconds(4), Scope.ALL);
        await().until(() -> gateway.send("GET", "/whoami", shortly, null).status() == 200);
        browser.signIn(shortly);

        await().atMost(Duration.ofSeconds(15)).until(() -> {
            browser.go("#/pilots?search=" + System.nanoTime() % 10);
            return browser.has("#token");
        });
        browser.awaitText("The token is not valid any more.");
    }

    @Test
    void thePagesWorkByKeyboard() {
        browser.open("#/tasks?state=open&search=big", "big");
        browser.driver.navigate().refresh();
        browser.awaitText("Waits because");
        browser.driver.switchTo().activeElement().sendKeys(Keys.TAB);
        assertThat(browser.driver.switchTo().activeElement().getText()).isEqualTo("Skip to the content");
        browser.driver.switchTo().activeElement().sendKeys(Keys.ENTER);
        assertThat(browser.driver.switchTo().activeElement().getDomAttribute("id"))
                .isEqualTo("main");
        browser.element("td a[href='#/task/big']").sendKeys(Keys.ENTER);
        browser.awaitText("List of jobs");
        await().untilAsserted(() -> assertThat(
                        browser.driver.switchTo().activeElement().getTagName())
                .isEqualTo("h1"));
        assertThat(browser.driver.getTitle()).isEqualTo("Task big – Weir");
        browser.click("Pause");
        assertThat(browser.script("return document.querySelector('dialog').contains(document.activeElement)"))
                .isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource({
        "overview, #/, 'What waits, and why'",
        "tasks, #/tasks?state=open&search=live, live-4",
        "task, #/task/big, List of jobs",
        "job, #/job/big.2, The log cannot be shown",
        "log, #/job/big.4, 'weir: exit code 1'",
        "pilots, #/pilots, node1-1",
        "pool, #/pool/cpu, Its pilots",
        "limits, #/limits, host:store7",
        "placement, #/placement, worker-00",
        "rejected, #/rejected, Send again",
    })
    void axeFindsNothingSeriousInLightAndInDarkOnAPhone(String name, String hash, String text) throws Exception {
        site.place(60);
        browser.go(hash);
        browser.awaitText(text);
        await().untilAsserted(() -> assertThat(browser.text("main")).doesNotContain("Loading"));
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
    void axeFindsNothingSeriousInTheQuestionForATokenAndInADialog() throws Exception {
        browser.go("#/task/big");
        browser.click("Set rank");
        browser.shoot("dialog", false, false);
        assertThat(browser.accessibilityProblems()).isEmpty();
        browser.click("Back");
        browser.click("Sign out");
        browser.element("#token");
        browser.shoot("token", false, false);
        assertThat(browser.accessibilityProblems()).isEmpty();
    }
}
