package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.access.Role;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of rejected messages when somebody else was faster. */
@Timeout(120)
class DashboardRejectedTest {

    @ParameterizedTest
    @CsvSource({
        "Send again, The message cannot be sent again",
        "Download, The message cannot be downloaded",
    })
    void whatCannotBeHadIsSaidWithTheReason(String word, String title, @TempDir Path directory) throws Exception {
        try (DashboardSite site = new DashboardSite(directory)) {
            TestGateway gateway = site.gateway;
            String operator = gateway.byRole.get(Role.OPERATOR);
            site.browser.signIn(operator);
            site.browser.open("#/rejected", word);
            for (JsonNode message :
                    gateway.send("GET", "/rejected", operator, null).json().get("data")) {
                String path = "/rejected/" + message.get("id").asText();
                assertThat(gateway.send("DELETE", path, operator, null).status())
                        .isEqualTo(200);
            }

            site.browser.click(word);

            site.browser.awaitText("There is no message");
            assertThat(site.browser.text("dialog")).contains(title);
            site.browser.click("Close");
            assertThat(site.browser.has("dialog[open]")).isFalse();
        }
    }
}
