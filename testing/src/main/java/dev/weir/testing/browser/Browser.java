package dev.weir.testing.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium that looks at the dashboard of one gateway. One thread. */
public final class Browser implements AutoCloseable {

    private static final Path SHOTS = Path.of("target", "screenshots");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int DESKTOP_WIDTH = 1280;
    private static final int PHONE_WIDTH = 390;
    private static final int HEIGHT = 900;
    private static final int MOST_HEIGHT = 3000;

    /** For what this class does not offer. */
    public final ChromeDriver driver;

    private final String url;

    private Browser(ChromeDriver driver, String url) {
        this.driver = driver;
        this.url = url;
    }

    /** Skips the test where there is no Chromium, unless the services of tests are required. */
    public static Browser start(String url) {
        Path chromium = find("chromium", "chromium-browser", "google-chrome");
        Path control = find("chromedriver");
        boolean there = chromium != null && control != null;
        if ("1".equals(System.getenv("WEIR_REQUIRE_SERVICES"))) {
            assertThat(there)
                    .as("WEIR_REQUIRE_SERVICES=1, but chromium or chromedriver is not installed")
                    .isTrue();
        }
        Assumptions.assumeTrue(there, "chromium and chromedriver are not installed");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(control.toString()))
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options), url);
        browser.look(false, false);
        return browser;
    }

    private static Path find(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Leaves the page and comes with a token, on an overview. */
    public void signIn(String token) {
        driver.get(url + "/");
        script("sessionStorage.clear()");
        driver.navigate().refresh();
        element("#token").sendKeys(token);
        click("Show");
        awaitText("Sign out");
    }

    /** Goes to a page and does not wait. */
    public void go(String hash) {
        script("location.hash = arguments[0]", hash);
    }

    /** Goes to a page and waits until it shows a text. */
    public void open(String hash, String text) {
        go(hash);
        awaitText(text);
    }

    /** How the page is shown. */
    public void look(boolean dark, boolean phone) {
        var unused = driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        size(phone, HEIGHT);
    }

    private void size(boolean phone, int height) {
        var unused = driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        phone ? PHONE_WIDTH : DESKTOP_WIDTH,
                        "height",
                        height,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        phone));
    }

    /** What a script in the page returns. */
    public Object script(String text, Object... arguments) {
        return driver.executeScript(text, arguments);
    }

    /** The first of these, for which it waits. */
    public WebElement element(String selector) {
        await().atMost(PATIENCE)
                .until(() -> !driver.findElements(By.cssSelector(selector)).isEmpty());
        return driver.findElement(By.cssSelector(selector));
    }

    /** Whether the page has one now. */
    public boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** Words of the buttons that are there. */
    public List<String> buttons() {
        return driver.findElements(By.cssSelector("main button")).stream()
                .map(WebElement::getText)
                .toList();
    }

    /** Clicks the first button with this word, which may have been drawn again meanwhile. */
    public void click(String word) {
        await().atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    String buttons = has("dialog[open]") ? "dialog[open] button" : "button";
                    WebElement button = driver.findElements(By.cssSelector(buttons)).stream()
                            .filter(one -> one.isDisplayed() && one.getText().equals(word))
                            .findFirst()
                            .orElse(null);
                    if (button != null) {
                        button.click();
                    }
                    return button != null;
                });
    }

    /** Waits until the page shows a text somewhere. */
    public void awaitText(String text) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(text("body")).contains(text));
    }

    /** The words of the first of these as they are shown; empty if there is none. */
    public String text(String selector) {
        return Objects.toString(
                script("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector), "");
    }

    /** Keeps a picture of the whole page. */
    public void shoot(String name, boolean dark, boolean phone) throws IOException {
        look(dark, phone);
        long height = (Long) script("return document.documentElement.scrollHeight");
        size(phone, (int) Math.min(MOST_HEIGHT, Math.max(HEIGHT, height)));
        // Charts are drawn again for another width and other colours.
        script("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        Files.createDirectories(SHOTS);
        String look = (dark ? "-dark" : "-light") + (phone ? "-phone" : "");
        Files.write(SHOTS.resolve(name + look + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    /** What axe-core finds against the page that is serious or worse. */
    public List<?> accessibilityProblems() throws IOException {
        if (script("return window.axe === undefined") == Boolean.TRUE) {
            script(axe());
        }
        return (List<?>) driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run(document, {resultTypes: ["violations"]}).then((found) => done(found.violations
                    .filter((v) => v.impact === "serious" || v.impact === "critical")
                    .map((v) => v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join(" | "))), (e) => done([String(e)]))""");
    }

    private static String axe() throws IOException {
        try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }

    /** What the page's policy forbade, and errors of its own. Answers that are problems are wanted in tests. */
    public List<String> complaints() {
        return driver.manage().logs().get("browser").getAll().stream()
                .map(Object::toString)
                .filter(line -> !line.contains("Failed to load resource"))
                .toList();
    }
}
