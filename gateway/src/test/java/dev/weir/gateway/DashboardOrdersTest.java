package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.gateway.access.Role;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is alike on a page, an answer that is lost, and orders about the pilots of a node, in a browser. */
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
