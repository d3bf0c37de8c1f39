package dev.weir.cli.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import dev.weir.cli.accounts.Accounts.Attempt;
import dev.weir.job.amqp.WeirTopology;
import dev.weir.job.options.QueueOptions;
import dev.weir.protocol.Names;
import dev.weir.testing.PrivateRabbit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What RabbitMQ lets each account do with each queue and exchange, and that it is nothing else. */
@Timeout(240)
class RightsTest {

    private static final String HOST = "rights";

    private static final List<String> EXCHANGES = List.of(
            "",
            Names.EXCHANGE,
            Names.SEND_TASKS,
            Names.SEND_COMMANDS,
            Names.SEND_REPORTS,
            Names.SEND_REJECTED,
            Names.NOTICES,
            Names.EVENTS,
            Names.SEND_QUEUES,
            Names.ANSWERS,
            "amq.direct");

    private static final List<String> QUEUES = List.of(
            Names.TASKS,
            Names.COMMANDS,
            Names.REPORTS,
            Names.PAGES,
            Names.MIRROR,
            Names.REJECTED,
            Names.ITEMS,
            Names.DONE,
            Names.ASKS,
            Names.DSM_REGISTER,
            Names.jobs(Names.CPU_POOL),
            Names.jobs(Names.GPU_POOL));

    private static final Map<String, Set<String>> SENDS_TO = Map.of(
            "core", Set.of("", Names.NOTICES, Names.EVENTS, Names.ANSWERS),
            "store", Set.of(Names.SEND_REJECTED),
            "flows", Set.of(Names.SEND_TASKS),
            "worker", Set.of(Names.SEND_REPORTS),
            "anna", Set.of(Names.SEND_COMMANDS),
            "door", Set.of(Names.SEND_TASKS, Names.SEND_COMMANDS, Names.SEND_REPORTS, Names.SEND_QUEUES));

    private static final Map<String, Set<String>> READS = Map.of(
            "core",
                    Set.of(
                            Names.TASKS,
                            Names.COMMANDS,
                            Names.REPORTS,
                            Names.PAGES,
                            Names.MIRROR,
                            Names.ITEMS,
                            Names.DONE,
                            Names.ASKS),
            "store", Set.of(Names.DSM_REGISTER),
            "flows", Set.of(),
            "worker", Set.of(Names.jobs(Names.CPU_POOL)),
            "anna", Set.of(Names.REJECTED),
            "door", Set.of(Names.jobs(Names.CPU_POOL), Names.REJECTED));

    private static final Map<String, Set<String>> HEARS = Map.of(
            "store", Set.of(),
            "flows", Set.of(Names.EVENTS),
            "worker", Set.of(Names.NOTICES),
            "anna", Set.of(Names.EVENTS),
            "door", Set.of(Names.EVENTS, Names.NOTICES, Names.ANSWERS));

    @TempDir
    static Path directory;

    private static Accounts accounts;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PrivateRabbit.isInstalled(), "RabbitMQ is not installed");
        accounts = new Accounts();
        accounts.rabbit().addVirtualHost(HOST);
        accounts.make(directory, HOST);
        try (Connection core = accounts.connect("core", HOST)) {
            WeirTopology.declare(core, new Configuration().set(QueueOptions.ENABLED, true));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (accounts != null) {
            accounts.close();
        }
    }

    private static boolean may(String name, Attempt attempt) throws Exception {
        try (Connection connection = accounts.connect(name, HOST)) {
            return Accounts.may(connection, attempt);
        }
    }

    /** The names of those that an account may try this with. */
    private static List<String> allowed(
            String name, List<String> things, java.util.function.Function<String, Attempt> what) throws Exception {
        List<String> allowed = new ArrayList<>();
        try (Connection connection = accounts.connect(name, HOST)) {
            for (String thing : things) {
                if (Accounts.may(connection, what.apply(thing))) {
                    allowed.add(thing);
                }
            }
        }
        return allowed;
    }

    private static Attempt publish(String exchange, String key, BasicProperties properties) {
        return channel -> {
            channel.confirmSelect();
            channel.basicPublish(exchange, key, properties, new byte[1]);
            channel.waitForConfirmsOrDie(60_000);
        };
    }

    @Test
    void anAccountSendsToItsExchangeOnly() throws Exception {
        for (String name : Accounts.ALL) {
            assertThat(allowed(name, EXCHANGES, exchange -> publish(exchange, "nobody", null)))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(SENDS_TO.get(name));
        }
    }

    @Test
    void anAccountReadsAndPurgesItsQueuesOnly() throws Exception {
        for (String name : Accounts.ALL) {
            assertThat(allowed(name, QUEUES, queue -> channel -> channel.basicGet(queue, true)))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(READS.get(name));
            assertThat(allowed(
                            name, QUEUES, queue -> channel -> channel.basicConsume(queue, (tag, got) -> {}, tag -> {})))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(READS.get(name));
            assertThat(allowed(name, QUEUES, queue -> channel -> channel.queuePurge(queue)))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(READS.get(name));
        }
    }

    @Test
    void nobodyButWeirMakesOrDeletesItsQueuesAndExchangesOrChangesTheirBindings() throws Exception {
        for (String name : HEARS.keySet()) {
            assertThat(allowed(name, QUEUES, queue -> channel -> channel.queueDelete(queue)))
                    .as(name)
                    .isEmpty();
            assertThat(allowed(
                            name,
                            List.of("weir.jobs.new", "weir.send.new", "dsm.other", "other"),
                            queue -> channel -> channel.queueDeclare(queue, true, false, false, null)))
                    .as(name)
                    .isEmpty();
            assertThat(allowed(
                            name,
                            EXCHANGES.subList(1, EXCHANGES.size()),
                            exchange -> channel -> channel.exchangeDelete(exchange)))
                    .as(name)
                    .isEmpty();
            for (String source : List.of(Names.NOTICES, Names.EVENTS, Names.SEND_REPORTS)) {
                assertThat(allowed(name, QUEUES, queue -> channel -> channel.queueBind(queue, source, "x")))
                        .as(name + " from " + source)
                        .isEmpty();
                assertThat(allowed(name, QUEUES, queue -> channel -> channel.queueUnbind(queue, source, "reports")))
                        .as(name + " from " + source)
                        .isEmpty();
                assertThat(allowed(
                                name,
                                EXCHANGES.subList(1, EXCHANGES.size()),
                                target -> channel -> channel.exchangeBind(target, source, "x")))
                        .as(name + " from " + source)
                        .isSubsetOf(SENDS_TO.get(name));
            }
        }
    }

    @Test
    void aQueueOfItsOwnHearsWhatIsMeantForItsRoleOnly() throws Exception {
        for (String name : HEARS.keySet()) {
            assertThat(allowed(name, EXCHANGES.subList(1, EXCHANGES.size()), exchange -> channel -> {
                        String own = channel.queueDeclare().getQueue();
                        channel.queueBind(own, exchange, "all");
                    }))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(HEARS.get(name));
        }
    }

    @Test
    void aWfmsKeepsItsEventsInQueuesThatOthersCannotTouch() throws Exception {
        Attempt keep = channel -> {
            channel.queueDeclare("flows.events", true, false, false, null);
            channel.queueBind("flows.events", Names.EVENTS, "task.*");
            channel.basicGet("flows.events", true);
        };
        assertThat(may("flows", keep)).isTrue();
        for (String other : List.of("store", "worker", "anna", "door")) {
            assertThat(may(other, channel -> channel.basicGet("flows.events", true)))
                    .isFalse();
            assertThat(may(other, keep)).isFalse();
        }
    }

    /** RabbitMQ 4 gives a quorum queue a limit of 20 when nothing else does, and each restart of a job counts. */
    @Test
    void noMessageIsDroppedBecauseItWasDeliveredOften() throws Exception {
        String queue = Names.jobs("quorum");
        try (Connection core = accounts.connect("core", HOST)) {
            core.createChannel().queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));

            assertThat(accounts.rabbit().policy(HOST, queue)).isEqualTo("weir-delivery-limit");
            core.createChannel().queueDelete(queue);
        }
    }

    @Test
    void noDetourLeadsToAnotherExchange() throws Exception {
        // RabbitMQ routes a copy for each key in the header CC.
        assertThat(may(
                        "worker",
                        publish(
                                Names.SEND_REPORTS,
                                "nobody",
                                new BasicProperties.Builder()
                                        .headers(Map.of("CC", List.of(Names.COMMANDS_KEY, Names.TASKS_KEY)))
                                        .build())))
                .isTrue();
        try (Connection core = accounts.connect("core", HOST)) {
            assertThat(core.createChannel().messageCount(Names.COMMANDS)).isZero();
            assertThat(core.createChannel().messageCount(Names.TASKS)).isZero();
        }
        for (String target : List.of("", Names.SEND_COMMANDS)) {
            for (String name : List.of("worker", "flows")) {
                assertThat(may(
                                name,
                                channel -> channel.queueDeclare(
                                        "", false, true, true, Map.of("x-dead-letter-exchange", target))))
                        .as(name + " by dead letters to '" + target + "'")
                        .isFalse();
            }
        }
        assertThat(may(
                        "flows",
                        channel -> channel.exchangeDeclare(
                                "flows.x", "direct", true, false, Map.of("alternate-exchange", Names.SEND_COMMANDS))))
                .isFalse();
    }
}
