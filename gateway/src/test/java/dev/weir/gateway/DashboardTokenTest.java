package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.openid.TestIssuer;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.OpenIdOptions;
import dev.weir.testing.browser.Browser;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page that asks for a token, before a gateway that takes those of a provider; it needs neither database nor broker for this. */
@Timeout(120)
class DashboardTokenTest {

    @Test
    void aLongTokenOfAProviderFitsAndARefusedOneIsToldWhy(@TempDir Path directory) throws Exception {
        try (TestIssuer provider = new TestIssuer();
                Gateway gateway = start(provider, directory.resolve("tokens"));
                Browser browser = Browser.start(gateway.url().toString())) {
            String token = provider.token("berta", Map.of("weir_role", "operator", "groups", "g".repeat(4_500)));
            assertThat(token).hasSizeBetween(6_000, 6_990);
            browser.driver.get(gateway.url() + "/");
            WebElement input = browser.element("#token");

            input.sendKeys("weir_tök\u2026n" + Keys.ENTER);
            browser.awaitText("This is no token");
            input.clear();
            input.sendKeys(token.substring(0, token.length() - 10) + Keys.ENTER);
            browser.awaitText("signature");

            browser.signIn(token);
            assertThat(browser.text("#who")).contains("oidc/berta, operator");
        }
    }

    private static Gateway start(TestIssuer provider, Path tokens) {
        return Gateway.start(GatewayOptions.local(
                        0, "jdbc:postgresql://127.0.0.1:1/none", "nobody", "none", "amqp://127.0.0.1:1", tokens)
                .withOpenId(new OpenIdOptions(
                        provider.url(),
                        TestIssuer.AUDIENCE,
                        "sub",
                        "weir_role",
                        List.of("operator=operator"),
                        OpenIdOptions.ScopeClaims.DEFAULT,
                        null))
                .build());
    }
}
