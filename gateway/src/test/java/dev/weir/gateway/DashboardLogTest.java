package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.access.Role;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log in the page of a job. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DashboardLogTest {

    private DashboardSite site;
    private Browser browser;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        site = new DashboardSite(directory);
        browser = site.browser;
        browser.signIn(site.gateway.byRole.get(Role.VIEWER));
    }

    @AfterAll
    void stop() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void aJobsLogIsShownInThePageAsTextWithItsEndInView() throws Exception {
        browser.open("#/job/big.4", "weir: exit code 1");

        assertThat(browser.text(".log")).contains("<img src=x", "<script>").doesNotContain("weir: starts");
        assertThat(browser.text("main")).contains("The last 262,144 of 330,");
        assertThat(browser.script("return window.hacked")).isNull();
        assertThat(
                        browser.script(
                                "const log = document.querySelector('.log'); return log.scrollTop > 0 && log.scrollTop + log.clientHeight >= log.scrollHeight - 2"))
                .isEqualTo(true);
        browser.script("document.querySelector('.log').textContent = 'old'");
        browser.click("Reload the log");
        browser.awaitText("weir: exit code 1");
        browser.element("nav[aria-label='Logs of the attempts'] a[href$='attempt=1']")
                .click();
        browser.awaitText("No log of attempt 1 of job");
    }

    @Test
    void aLogThatCannotBeShownIsSaidToBeWithItsAddressAndWhatToSet() {
        browser.open("#/job/big.2", "The log cannot be shown: ");
        browser.awaitText("weir.gateway.log-roots");
        assertThat(browser.has("section[aria-labelledby=log] a[href='https://store.example/2.log']"))
                .isTrue();
        browser.open("#/job/big.3", "file:///data/big/3.log");
        browser.awaitText("The log cannot be shown: ");
    }
}
