package dev.weir.cli.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.cli.embedded.EmbeddedFlink;
import dev.weir.cli.embedded.FreePort;
import dev.weir.cli.embedded.LocalConfiguration;
import dev.weir.cli.embedded.PilotProcesses;
import dev.weir.cli.embedded.WeirJobs;
import dev.weir.dsm.DsmServer;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.job.Services;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.DsmOptions;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.start.StartFrom;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.testing.PrivateRabbit;
import dev.weir.testing.ScratchDatabase;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Weir, DSM, a pilot, a WFMS, an operator and a gateway do their work, each with the account that the script makes for it. */
@Timeout(300)
class WorkTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String HOST = "/";

    @TempDir
    Path directory;

    private Accounts accounts;
    private ScratchDatabase database;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(PrivateRabbit.isInstalled(), "RabbitMQ is not installed");
        database = ScratchDatabase.create();
        accounts = new Accounts();
        accounts.make(directory, HOST);
    }

    @AfterEach
    void stop() throws Exception {
        if (accounts != null) {
            accounts.close();
            database.close();
        }
    }

    @Test
    void aTaskGoesFromItsWfmsToADatasetInDsmAndOperatorsReadWhatWasRejected() throws Exception {
        Path inputs = Files.createDirectories(directory.resolve("inputs"));
        for (int i = 0; i < 3; i++) {
            Files.writeString(inputs.resolve("file-" + i), "line\n".repeat(i + 1));
        }
        Path programs = Files.createDirectories(directory.resolve("programs"));
        Path program = Files.writeString(programs.resolve("count"), "#!/bin/sh\nwc -l <\"$1\" >\"$2\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path storage = Files.createDirectories(directory.resolve("storage"));
        // Before Weir, which makes the queues: DSM has to wait for them.
        try (DsmServer dsm = DsmServer.start(dev.weir.dsm.DsmOptions.local(
                database.jdbcUrl(), database.user(), database.password(), RegisterOptions.at(accounts.uri("store"))))) {
            dsm.addDirectory("in", inputs, (files, ofFiles, bytes) -> {});
            Configuration settings = settings(dsm);
            Services.prepare(settings, StartFrom.NEWEST);
            try (EmbeddedFlink flink = EmbeddedFlink.start(settings);
                    WeirJobs jobs = WeirJobs.submit(flink, settings, StartFrom.NEWEST, job -> "");
                    PilotProcesses pilots = new PilotProcesses(
                            accounts.uri("worker"),
                            directory.resolve("work"),
                            directory.resolve("logs"),
                            List.of(programs),
                            List.of(inputs, storage));
                    Connection wfms = accounts.connect("flows", HOST);
                    Connection operator = accounts.connect("anna", HOST)) {
                pilots.start("p1", List.of("cpu"), "CPU");
                Channel hearing = wfms.createChannel();
                hearing.queueDeclare("flows.events", true, false, false, null);
                hearing.queueBind("flows.events", Names.EVENTS, "task.*");

                send(wfms, Names.SEND_TASKS, Names.TASKS_KEY, """
                        {"uid":"t1","executable":"count","args":"{file_in} {file_out}","device_type":"CPU","mode":"Map",
                         "dat_in_uid":"in","dat_out_uid":"out","dat_stor_url":"file://%s","dat_out_url":"out"}""".formatted(storage));
                send(operator, Names.SEND_COMMANDS, Names.COMMANDS_KEY, "no command");
                send(accounts.rabbit().connect(), "", Names.DSM_REGISTER, "no registration");

                TaskEvent closed = awaitClosed(hearing);
                assertThat(closed.counts().finished()).isEqualTo(3);
                await().atMost(PATIENCE)
                        .until(() -> dsm.status("out").orElseThrow().state().toString(), "closed"::equals);
                assertThat(rejected(operator.createChannel()))
                        .containsExactlyInAnyOrder(Names.COMMANDS, Names.DSM_REGISTER);
                await().atMost(PATIENCE)
                        .until(() -> database.rows(
                                                "SELECT uid FROM task_dat WHERE uid = 't1' UNION SELECT uid FROM task_arc WHERE uid = 't1'")
                                        .size()
                                == 1);
                assertThat(commandOverHttp()).contains("200", "applied");
                assertThat(jobs.firstEnd()).isNotDone();
            }
        }
    }

    private Configuration settings(DsmServer dsm) throws Exception {
        Configuration given = new Configuration();
        given.set(AmqpOptions.URI, accounts.uri("core"));
        given.set(DsmOptions.URL, dsm.url().toString());
        given.set(MirrorOptions.URL, database.jdbcUrl());
        given.set(MirrorOptions.USER, database.user());
        given.set(MirrorOptions.PASSWORD, database.password());
        return LocalConfiguration.complete(given, directory.resolve("flink"), FreePort.any());
    }

    /** A gateway with its account sends a command and hears the outcome. */
    private String commandOverHttp() throws Exception {
        Path tokens = directory.resolve("tokens");
        String token = Token.random();
        Instant expires = Instant.now().plusSeconds(600);
        TokenFile.put(tokens, new Token("me", Role.OPERATOR, Token.hash(token), expires, Scope.ALL));
        try (Gateway gateway = Gateway.start(GatewayOptions.local(
                        0, database.jdbcUrl(), database.user(), database.password(), accounts.uri("door"), tokens)
                .build())) {
            HttpRequest request = HttpRequest.newBuilder(gateway.url().resolve("/pool/cpu/paused?wait=60"))
                    .header("Authorization", "Bearer " + token)
                    .PUT(BodyPublishers.noBody())
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            await().atMost(PATIENCE)
                    .until(() -> client.send(
                                            HttpRequest.newBuilder(gateway.url().resolve("/health"))
                                                    .build(),
                                            BodyHandlers.discarding())
                                    .statusCode()
                            == 200);
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }
    }

    private static void send(Connection as, String exchange, String key, String body) throws Exception {
        Channel channel = as.createChannel();
        channel.confirmSelect();
        channel.basicPublish(exchange, key, MessageProperties.PERSISTENT_BASIC, body.getBytes(StandardCharsets.UTF_8));
        channel.waitForConfirmsOrDie(60_000);
    }

    private static TaskEvent awaitClosed(Channel hearing) {
        List<TaskEvent> heard = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            GetResponse next = hearing.basicGet("flows.events", true);
            if (next != null) {
                heard.add(Json.read(next.getBody(), TaskEvent.class));
            }
            return heard.stream().anyMatch(event -> event.state() == TaskState.CLOSED);
        });
        return heard.get(heard.size() - 1);
    }

    /** The queues whose messages were rejected. */
    private static List<String> rejected(Channel channel) {
        List<String> queues = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> {
            GetResponse next = channel.basicGet(Names.REJECTED, true);
            if (next != null) {
                queues.add(Json.read(next.getBody(), Rejected.class).queue());
            }
            return queues.size() >= 2;
        });
        return queues;
    }
}
