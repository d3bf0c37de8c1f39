package dev.weir.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.weir.job.start.StartFrom;
import dev.weir.protocol.Names;
import dev.weir.testing.browser.Browser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;

/** Every page and action of the dashboard, with all of a local Weir behind it. */
@Timeout(300)
class DashboardOfUpTest {

    private static final String DONE = "Done. Weir has applied it.";

    @TempDir
    Path directory;

    private LocalSite site;
    private Browser browser;
    private Path goOn;

    @Test
    void whatAnOperatorDoesOnThePagesHappensInAWholeWeir() throws Exception {
        try (LocalSite here = new LocalSite(directory, StartFrom.NEWEST);
                Browser window = Browser.start(here.weir.addresses().gateway())) {
            site = here;
            browser = window;
            goOn = directory.resolve("go-on");
            site.dataset(3);
            waitAtTheLastFile();
            site.pilot("p1");
            site.pilot("p2");
            browser.signIn(site.weir.addresses().token());
            browser.open("#/placement", "./weir place");

            tasksAndJobs();
            pools();
            pilots();
            limits();
            rejectedMessages();
            queues();

            browser.open("#/", "Nothing is broken; 1 note");
            browser.awaitText("Task t1 ended with 1 of 3 jobs failed");
            browser.shoot("up", false, false);
            assertThat(browser.complaints()).isEmpty();
            site.weir.abandonJobs();
        }
    }

    /** The job of file-2 runs until the file {@link #goOn} is there, for two minutes at most: a slow machine takes its time for the pages before. */
    private void waitAtTheLastFile() throws IOException {
        Path count = site.data.executables().resolve("count");
        String program = Files.readString(count);
        Files.writeString(
                count,
                program.replace(
                        "echo \"$lines\"",
                        "[ \"$lines\" != 2 ] || for i in $(seq 1200); do [ -e '" + goOn
                                + "' ] && break; sleep 0.1; done\necho \"$lines\""));
    }

    /** Does something on a page, and waits until the page says what came of it. */
    private void act(String page, String word, String outcome, String... inputs) {
        browser.go(page);
        browser.click(word);
        for (int i = 0; i < inputs.length; i += 2) {
            WebElement field = browser.element("dialog [name=" + inputs[i] + "]");
            field.clear();
            field.sendKeys(inputs[i + 1]);
        }
        browser.element("dialog button[type=submit]").click();
        browser.awaitText(outcome);
        browser.click("Close");
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            boolean isOpen = browser.has("dialog[open]");
            if (isOpen) {
                browser.click("Close");
            }
            return !isOpen;
        });
    }

    private void tasksAndJobs() throws Exception {
        assertThat(site.weir("task", "send", site.task("t1", 0).toString(), "--wait", "60")
                        .text())
                .isEqualTo("task t1: applied\n");
        browser.open("#/tasks?state=open", "t1");
        browser.open("#/task/t1", "Exit: 1 job");
        String failed = GatewayClient.JSON
                .readTree(site.weir("job", "list", "t1", "--status", "Failed", "--json")
                        .text())
                .at("/data/0/uid")
                .asText();
        browser.open("#/job/" + failed, "cannot count this");
        browser.awaitText("exit code 7");
        act("#/task/t1", "Set rank", DONE, "rank", "7");
        act("#/task/t1", "Pause", DONE);
        act("#/task/t1", "Retry failed", DONE);
        act("#/task/t1", "Resume", DONE);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(site.ask("GET", "/job/" + failed, "")
                                .path("attempt")
                                .asInt())
                        .isEqualTo(2));
    }

    private void pools() throws Exception {
        act("#/pool/cpu", "Drain", DONE);
        act("#/pool/cpu", "Resume", DONE);
        act("#/pool/cpu", "Pause", DONE);
        Path task = site.task("t2", 0);
        Files.writeString(task, Files.readString(task).replace("{\"uid\"", "{\"order\": \"priority\", \"uid\""));
        assertThat(site.weir("task", "send", task.toString(), "--wait", "60").exit())
                .isZero();
        browser.open("#/task/t2", "Pool cpu is paused");
        act("#/task/t2", "Set priority", DONE, "position", "0", "priority", "2");
        act("#/task/t2", "Cancel", DONE);
        act("#/task/t1", "Close", DONE);
        Files.createFile(goOn);
        act("#/pool/cpu", "Resume", DONE);
        browser.open("#/task/t1", "closed");
    }

    private void pilots() throws Exception {
        String node = site.ask("GET", "/pilot?search=p2", "").at("/data/0/host").asText();
        act("#/pilots?host=" + node, "Drain node", "Done. Weir has applied it to 2 pilots.");
        act("#/pilots?host=" + node, "Include node", "Done. Weir has applied it to 2 pilots.");
        act("#/pilots?search=p2", "Drain", DONE);
        act("#/pilots?search=p2", "Exclude", DONE);
        act("#/pilots?search=p2", "Include", DONE);
    }

    private void limits() {
        act("#/limits", "Limit a group", DONE, "group", "tape", "max_in_flight", "3");
        act("#/limits?search=tape", "Change", DONE, "max_in_flight", "5");
        browser.awaitText("0 of 5");
        act("#/limits?search=tape", "Lift", DONE);
    }

    /** How the rejected messages begin, the oldest first. */
    private List<String> rejected() throws Exception {
        return site.ask("GET", "/rejected", "").path("data").findValuesAsText("begin");
    }

    private void rejectedMessages() throws Exception {
        ConnectionFactory broker = new ConnectionFactory();
        broker.setUri(site.weir.broker().uri());
        try (Connection connection = broker.newConnection()) {
            Channel channel = connection.createChannel();
            for (int i = 0; i < 3; i++) {
                String odd = "{\"type\": \"heartbeat\", \"pilot_id\": \"odd" + i + "\"}";
                channel.basicPublish("", Names.REPORTS, null, odd.getBytes(StandardCharsets.UTF_8));
            }
        }
        await().until(() -> rejected().size() == 3);
        List<String> looked = rejected();
        assertThat(looked).first().asString().contains("odd0");
        assertThat(rejected()).isEqualTo(looked);
        browser.open("#/rejected", "pool is required");
        act(
                "#/rejected",
                "Send again",
                "Sent.",
                "message",
                "{\"type\": \"heartbeat\", \"pilot_id\": \"odd\", \"pool\": 7}");
        await().until(() -> rejected().size() == 3 && rejected().get(0).contains("odd1"));
        browser.driver.navigate().refresh();
        browser.awaitText("\"pool\": 7}");
        // The next click waits until the list is without the one before.
        for (String left : List.of("2 messages, the", "1 message, the", "No message was rejected")) {
            act("#/rejected", "Drop", "Dropped.");
            browser.awaitText(left);
        }
    }

    private void queues() throws Exception {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> site.ask("PUT", "/queue/scans", "{\"attempts\": 1}") != null);
        for (String key : new String[] {"a", "b", "c"}) {
            site.ask("POST", "/queue/scans/items", "{\"key\": \"" + key + "\"}");
        }
        String token =
                site.ask("POST", "/queue/scans/pop", "{}").at("/items/0/token").asText();
        site.ask(
                "POST",
                "/queue/scans/done",
                "{\"token\": \"" + token + "\", \"end\": \"failed\", \"error\": \"meant\"}");
        browser.open("#/queues", "scans: 1 item is dead.");
        act("#/queue/scans", "Redrive", "Done. Waiting again: 1 item.");
        act("#/queue/scans", "Pause", "Done.");
        browser.open("#/queue/scans", "Queue scans is paused.");
        act("#/queue/scans", "Resume", "Done.");
        act("#/queue/scans?key=b", "Remove", "Done. The item is removed.");
        act("#/queue/scans", "Purge", "Done.");
        act("#/queue/scans", "Delete", "Done.");
        browser.awaitText("No queue yet");
    }
}
