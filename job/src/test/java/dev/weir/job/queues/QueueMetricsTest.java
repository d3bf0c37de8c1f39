package dev.weir.job.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.api.GroupNumbers;
import dev.weir.queues.options.QueuesOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.metrics.testutils.MetricListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Prometheus reads of the queues. */
class QueueMetricsTest {

    private static final long START = 1_700_000_000_000L;
    private static final String OF_THE_OPERATOR = "flink_taskmanager_job_task_operator_";
    private static final String NAME = "queue_[a-z_]+|groups(?:_[a-z_]+)?";

    private final MetricListener listener = new MetricListener();
    private final Queues queues = new Queues(QueuesOptions.defaults(), text -> text, List.of(), "s1", new HeapStore());
    private final QueueMetrics metrics =
            new QueueMetrics(listener.getMetricGroup(), queues::views, queues::groupNumbers);
    private long entries;
    private long now = START;

    @BeforeEach
    void haveItemsInEveryState() {
        ask(new QueueEntry.Configure(++entries, "scans", null));
        ask(new QueueEntry.SetLimit(++entries, "host:a", 1, null, null));
        for (String key : List.of("a1", "a2", "a3")) {
            ask(new QueueEntry.Push(
                    ++entries,
                    "scans",
                    new Item(key, null, null, 3, null, List.of("host:a", "net:1"), null, null, null, null, null)));
        }
        LeasedItem item = ask(new QueueEntry.Pop(++entries, "scans", List.of(), 3, 0))
                .items()
                .get(0);
        ask(new QueueEntry.Hold(++entries, item.token(), "net:1", 60));
        now += 5_000;
        queues.apply(new Event.Tick(), now);
        metrics.refresh(now);
    }

    private QueueAnswer ask(QueueEntry entry) {
        Event event = new Event.Requested(new QueueRequest("gateway", List.of(entry)), false);
        return queues.apply(event, now).stream()
                .filter(Effect.Answer.class::isInstance)
                .map(effect -> ((Effect.Answer) effect).answer())
                .findFirst()
                .orElseThrow();
    }

    private long number(String... name) {
        return listener.<Long>getGauge(name).orElseThrow().getValue();
    }

    @Test
    void aQueueShowsWhatItHasAndWhatBecameOfItsItems() {
        assertThat(number("queue", "scans", "waiting")).isEqualTo(2);
        assertThat(number("queue", "scans", "leased")).isEqualTo(1);
        assertThat(number("queue", "scans", "pushed")).isEqualTo(3);
        assertThat(number("queue", "scans", "popped")).isEqualTo(1);
        assertThat(number("queue", "scans", "oldest_s")).isEqualTo(5);
        assertThat(number("queue", "scans", "dead")).isZero();
    }

    private static QueueView view(String queue, String settings, int waiting, int bytes, int resting) {
        QueueSettings bounds = Json.read(settings.getBytes(StandardCharsets.UTF_8), QueueSettings.class);
        return new QueueView(
                queue, bounds, false, waiting, 2, 1, 0, bytes, 0, 0, 0, 0, 0, 0, null, null, resting, 0, null);
    }

    @Test
    void aQueueShowsHowMuchIsUsedOfTheRoomThatIsNotKeptForPriorityOne() {
        List<QueueView> views = List.of(
                view("items", "{\"max_items\": 10, \"reserve\": 0.2}", 3, 500, 0),
                view("bytes", "{\"max_bytes\": 1048576, \"reserve\": 0.5}", 3, 1_048_576, 0),
                view("rests", "{\"max_resting\": 40}", 0, 0, 30),
                view("none", "{\"max_resting\": 0}", 0, 0, 0));
        new QueueMetrics(listener.getMetricGroup(), () -> views, () -> GroupNumbers.NONE).refresh(now);

        assertThat(number("queue", "items", "full_percent")).isEqualTo(75);
        assertThat(number("queue", "bytes", "full_percent")).isEqualTo(200);
        assertThat(number("queue", "rests", "resting_percent")).isEqualTo(75);
        assertThat(number("queue", "none", "resting_percent")).isZero();
    }

    @Test
    void theLimitGroupsOfAllQueuesAreCounted() {
        assertThat(number("groups")).isEqualTo(2);
        assertThat(number("groups_sets")).isEqualTo(1);
        assertThat(number("groups_held")).isEqualTo(1);
        assertThat(number("groups_in_flight")).isEqualTo(2);
    }

    @Test
    void whatDocumentsAlertsAndTheDashboardNameIsThere() throws IOException {
        Set<String> named = new TreeSet<>();
        named.addAll(names("docs/OPERATIONS.md", "`(" + NAME + ")`"));
        named.addAll(names("flink-conf/alerts.yml", OF_THE_OPERATOR + "(" + NAME + ")"));
        named.addAll(names("flink-conf/grafana/weir.json", OF_THE_OPERATOR + "(" + NAME + ")"));

        assertThat(named).contains("queue_waiting", "queue_oldest_s", "queue_lost", "groups", "groups_held");
        assertThat(named)
                .allSatisfy(name -> assertThat(listener.<Long>getGauge(
                                name.startsWith("queue_")
                                        ? new String[] {"queue", "scans", name.substring("queue_".length())}
                                        : new String[] {name}))
                        .isPresent());
    }

    private static Set<String> names(String file, String pattern) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher name =
                Pattern.compile(pattern).matcher(Files.readString(Path.of("..").resolve(file)));
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }
}
