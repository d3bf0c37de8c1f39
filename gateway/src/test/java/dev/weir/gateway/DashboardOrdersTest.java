package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Pages that are drawn again, answers that are lost or late, and orders about the pilots of a node, in a browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DashboardOrdersTest {

    private DashboardSite site;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        site = new DashboardSite(directory);
        browser = site.browser;
        browser.signIn(site.gateway.byRole.get(Role.OPERATOR));
    }

    @AfterAll
    void stop() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    @BeforeEach
    void closed() {
        browser.script("document.querySelector('dialog').close()");
    }

    @Test
    void problemsThatDifferOnlyInANumberAllStayWhenThePageIsDrawnAgain() throws Exception {
        for (int i = 0; i < 4; i++) {
            site.rows
                    .task("rest-" + i, "disk" + i / 2, "paused")
                    .counts(9, 9, 0, 0, 0)
                    .why("paused", "the task is paused by berta")
                    .write();
        }
        browser.open("#/", "2 tasks of pool disk1 start nothing more");
        browser.script("document.querySelector('.problems').dataset.drawn = 'before'");
        browser.script("window.dispatchEvent(new Event('weir-changed'))");

        await().until(() -> browser.script("return document.querySelector('.problems').dataset.drawn") == null);
        assertThat(browser.text(".problems"))
                .contains("2 tasks of pool disk0 start nothing more", "2 tasks of pool disk1 start nothing more");
        assertThat(browser.has(".problems a[href='#/tasks?state=open&why=paused&pool=disk0']"))
                .isTrue();
    }

    @Test
    void anOrderAboutANodeThatIsSentAgainAfterALostAnswerIsDoneAndLeavesOutWhatItWouldNotFind() throws Exception {
        site.rows.pilot("node7-8", "cpu", "lost");
        site.rows.pilot("node7-9", "cpu", "ended");
        site.gateway.database.run("UPDATE pilot_dat SET host = 'node7' WHERE pilot_id IN ('node7-8', 'node7-9')");
        browser.open("#/pilots?host=node7", "3 pilots");
        browser.click("Drain node");
        assertThat(browser.text("dialog")).contains("1 pilot", "2 pilots of it that are lost or ended are left out.");
        sendAndLoseTheAnswer();
        browser.click("Try again");

        browser.awaitText("Done. Weir has applied it to 1 pilot.");
        browser.click("Close");
        site.settled("#/pilots", "Drain");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void anOrderThatWasTakenBeforeItsAnswerWasLostIsNotSaidToBeApplied() throws Exception {
        browser.open("#/task/live-1", "Task live-1");
        browser.click("Pause");
        sendAndLoseTheAnswer();
        browser.click("Try again");

        browser.awaitText("Weir took it when it was sent first. The page shows whether it was applied.");
        browser.click("Close");
        browser.awaitText("paused");
    }

    @Test
    void withAnotherFilterNoOrderIsForTheNode() throws Exception {
        site.rows.pilot("node8-1", "cpu", "idle");
        browser.open("#/pilots?host=host-node8-1&state=idle", "Some pilots of node host-node8-1.");
        assertThat(browser.buttons()).contains("Exclude").doesNotContain("Exclude node");
        browser.element("main a[href='#/pilots?host=host-node8-1']").click();

        browser.awaitText("1 pilot, 0 busy");
        assertThat(browser.buttons()).contains("Exclude node");
    }

    @Test
    void ordersAboutANodeAreCountedAndEndWhenTheyAreNotLookedAtAnyMore() throws Exception {
        for (int i = 1; i <= 3; i++) {
            site.rows.pilot("node9-" + i, "cpu", "idle");
        }
        site.gateway.database.run("UPDATE pilot_dat SET host = 'node9' WHERE pilot_id LIKE 'node9-%'");
        browser.open("#/pilots?host=node9", "3 pilots, 0 busy");
        browser.click("Drain node");
        browser.script("""
                const whole = window.fetch;
                window.sent = [];
                window.fetch = (path, ...all) => {
                  if (all[0].method !== "PUT") return whole(path, ...all);
                  sent.push(path);
                  return sent.length === 1 ? Promise.resolve(new Response("{}", {status: 202})) : new Promise((answer) => (window.answer = answer));
                };
                window.over = false;
                addEventListener("weir-changed", () => (window.over = true), {once: true});
                window.restore = () => (window.fetch = whole);""");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("1 of 3 sent.");
        browser.click("Back");
        browser.script("answer(new Response('{}', {status: 202}))");

        await().until(() -> browser.script("return over") == Boolean.TRUE);
        browser.script("restore()");
        assertThat(browser.script("return sent.join(' ')"))
                .as("after one that was not answered in time no other is waited for")
                .isEqualTo("/pilot/node9-1/drained?wait=20 /pilot/node9-2/drained?wait=0");
    }

    @Test
    void whatWasNotSentIsSaidNotToBeAndMayBeSentAgain() {
        browser.open("#/task/live-2", "Task live-2");
        browser.click("Set rank");
        browser.script("""
                const whole = window.fetch;
                window.fetch = async () => {
                  window.fetch = whole;
                  return new Response('{"detail": "wait 1 s"}', {status: 429});
                };""");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("Not sent: wait 1 s");
        browser.click("Try again");
        browser.awaitText("Done. Weir has applied it.");
    }

    @Test
    void aTokenThatEndsTakesNothingThatWasTypedAndAnotherIsAskedForWhenTheFormIsClosed() {
        browser.open("#/task/live-2", "Task live-2");
        browser.click("Set rank");
        browser.element("dialog input").clear();
        browser.element("dialog input").sendKeys("77");
        browser.script("""
                const whole = window.fetch;
                window.fetch = async (...all) =>
                  all[0] === '/events' ? new Response('{"detail": "the token has expired"}', {status: 401}) : whole(...all);
                const hides = (hidden) => {
                  Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
                  document.dispatchEvent(new Event('visibilitychange'));
                };
                hides(true);
                hides(false);
                window.restore = () => { window.fetch = whole; delete document.hidden; };""");

        browser.awaitText("Close the form to enter another one.");
        assertThat(browser.element("dialog input").getDomProperty("value")).isEqualTo("77");
        browser.click("Back");
        browser.awaitText("The token is not valid any more. Enter another one.");
        browser.script("restore()");
        browser.signIn(site.gateway.byRole.get(Role.OPERATOR));
    }

    @Test
    void anAddressThatIsNoPageIsSaidToBeNone() {
        browser.open("#/constructor", "There is no such page");
        browser.open("#/tasks", "Uid begins with");
    }

    @Test
    void enterThatIsPressedTwiceDoesNothingThatCannotBeUndone() throws Exception {
        browser.open("#/task/live-3", "Task live-3");
        await().until(() -> browser.buttons().contains("Cancel"));
        browser.script("[...document.querySelectorAll('main button')].find(one => one.innerText === 'Cancel').focus()");
        browser.driver.switchTo().activeElement().sendKeys(Keys.ENTER);
        assertThat(browser.text("dialog")).contains("This cannot be undone.");
        browser.driver.switchTo().activeElement().sendKeys(Keys.ENTER);

        await().until(() -> !browser.has("dialog[open]"));
        assertThat(browser.text("#outcome")).isEmpty();
        assertThat(site.gateway.get("/task/live-3").json().get("canceled").asBoolean())
                .isFalse();
    }

    @Test
    void whenRowsGoTheFocusStaysWhereItIsOrComesToTheHeadingAndTheirDrawingsEnd() {
        Object found = browser.driver.executeAsyncScript("""
                const done = arguments[0];
                import("/ui/dom.js").then(({h, show}) => {
                  const place = document.body.appendChild(document.createElement("div"));
                  const said = [];
                  const rows = (...keys) => show(place, h("h1", {tabindex: "-1"}, "List"), h("div", null, keys.map((key) => h("button", {key, "data-draw": true}, key))));
                  const at = () => said.push(document.activeElement.innerText);
                  rows("a", "b", "c");
                  const [a, b] = place.querySelectorAll("button");
                  a.end = () => said.push("end of a");
                  b.focus();
                  b.onblur = () => said.push("lost");
                  rows("b", "c");
                  at();
                  b.onblur = null;
                  rows("c", "b");
                  rows("b", "c");
                  at();
                  rows("c");
                  at();
                  place.remove();
                  done(said.join(", "));
                });""");
        assertThat(found).isEqualTo("end of a, b, b, List");
    }

    @Test
    void aTabThatIsNotSeenLeavesItsConnectionToOthers() {
        browser.awaitText("● live");
        browser.script("""
                const whole = window.fetch;
                window.streams = [];
                window.full = false;
                window.fetch = (path, options) => {
                  if (path !== "/events") return whole(path, options);
                  streams.push(options.signal);
                  return full ? Promise.resolve(new Response("{}", {status: 503})) : whole(path, options);
                };
                window.seen = (is) => {
                  Object.defineProperty(document, "hidden", {value: !is, configurable: true});
                  document.dispatchEvent(new Event("visibilitychange"));
                };
                window.restore = () => (window.fetch = whole);
                seen(false);""");
        browser.awaitText("○ reconnecting");
        browser.script("seen(true)");
        browser.awaitText("● live");
        browser.script("full = true; seen(false)");
        browser.awaitText("○ reconnecting");
        assertThat(browser.script("return streams.map(one => one.aborted).join()"))
                .isEqualTo("true");

        browser.script("seen(true)");
        browser.awaitText("○ updates every 20 s");
        browser.script("restore()");
        browser.driver.navigate().refresh();
        browser.awaitText("● live");
    }

    @Test
    void anAnswerThatDoesNotComeIsNotWaitedForWithoutEnd() {
        browser.open("#/limits", "host:store7");
        browser.script("""
                window.timeout = AbortSignal.timeout;
                AbortSignal.timeout = () => AbortSignal.abort(new DOMException("late", "TimeoutError"));
                dispatchEvent(new Event("weir-changed"));""");
        browser.awaitText("What is shown is old: The gateway has not answered within 60 s.");
        browser.script("AbortSignal.timeout = window.timeout; dispatchEvent(new Event('weir-changed'))");
        await().until(() -> browser.text("#notice").isEmpty());
    }

    @Test
    void aFilterThatCannotBeIsSaidAtItsFieldAndInAnAddressLeadsBackToTheList() {
        browser.open("#/tasks?search=sp%C3%A4h", "Search must be 1 to 128 of");
        browser.element("main a[href='#/tasks']").click();
        browser.element("input[name=search]").sendKeys("späh" + Keys.ENTER);
        assertThat(browser.has("input[name=search]:invalid")).isTrue();
        assertThat(browser.driver.getCurrentUrl()).endsWith("#/tasks");
        browser.open("#/nonsense", "There is no such page");
        assertThat(browser.driver.getTitle()).isEqualTo("There is no such page – Weir");
        assertThat(browser.driver.switchTo().activeElement().getTagName()).isEqualTo("h1");
    }

    private void sendAndLoseTheAnswer() {
        browser.script("""
                const whole = window.fetch;
                window.fetch = async (...all) => {
                  await whole(...all);
                  window.fetch = whole;
                  throw new TypeError("the connection is lost");
                };""");
        browser.element("dialog button[type=submit]").click();
        browser.awaitText("It is not known whether this was sent");
    }
}
