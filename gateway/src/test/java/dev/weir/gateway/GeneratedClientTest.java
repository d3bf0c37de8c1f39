package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.client.ApiClient;
import dev.weir.gateway.client.ApiException;
import dev.weir.gateway.client.api.JobsApi;
import dev.weir.gateway.client.api.LimitsApi;
import dev.weir.gateway.client.api.PilotsWithoutAmqpApi;
import dev.weir.gateway.client.api.PoolsAndPilotsApi;
import dev.weir.gateway.client.api.QueuesApi;
import dev.weir.gateway.client.api.RejectedMessagesApi;
import dev.weir.gateway.client.api.TasksApi;
import dev.weir.gateway.client.api.TheGatewayItselfApi;
import dev.weir.gateway.client.model.Again;
import dev.weir.gateway.client.model.Ask;
import dev.weir.gateway.client.model.Ended;
import dev.weir.gateway.client.model.EndedItemsInner;
import dev.weir.gateway.client.model.Extended;
import dev.weir.gateway.client.model.Health;
import dev.weir.gateway.client.model.Held;
import dev.weir.gateway.client.model.Item;
import dev.weir.gateway.client.model.JobStatus;
import dev.weir.gateway.client.model.KeyAnswer;
import dev.weir.gateway.client.model.Limit;
import dev.weir.gateway.client.model.Me;
import dev.weir.gateway.client.model.NewTask;
import dev.weir.gateway.client.model.NewTaskTargetsInner;
import dev.weir.gateway.client.model.Outcome;
import dev.weir.gateway.client.model.Pop;
import dev.weir.gateway.client.model.PopAnswer;
import dev.weir.gateway.client.model.PopRequest;
import dev.weir.gateway.client.model.PoppedItemsInner;
import dev.weir.gateway.client.model.Priority;
import dev.weir.gateway.client.model.Push;
import dev.weir.gateway.client.model.PushOutcome;
import dev.weir.gateway.client.model.QueueLimit;
import dev.weir.gateway.client.model.QueueOwner;
import dev.weir.gateway.client.model.QueueSettings;
import dev.weir.gateway.client.model.Rank;
import dev.weir.gateway.client.model.Redrive;
import dev.weir.gateway.client.model.RejectedListDataInner;
import dev.weir.gateway.client.model.Report;
import dev.weir.gateway.client.model.Report.StatusEnum;
import dev.weir.gateway.client.model.Report.TypeEnum;
import dev.weir.gateway.client.model.ReportRequest;
import dev.weir.gateway.client.model.Scored;
import dev.weir.gateway.client.model.ShownItem;
import dev.weir.gateway.client.model.Task;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A client that a public generator makes of the contract can do everything that is answered with JSON, in the order of a day's work. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GeneratedClientTest {

    private static final BigDecimal WAIT = BigDecimal.valueOf(30);
    private static final String PILOT = "node7-1";

    private TestGateway gateway;
    private CoreOnTheBroker core;
    private TestQueues queues;
    private Path log;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path placement = directory.resolve("status.json");
        Files.writeString(placement, """
                {"config": {"order": "chunk", "mode": "full", "saturation": 0.99, "min_replication": 2},
                 "pass_reliable": {"virtual_chunks": 1, "unplaced": 0}, "datasets": [],
                 "workers": [{"id": "node7", "status": "online", "capacity": 1000, "assigned_bytes": 100, "chunks": 1, "fill": 0.1}]}""");
        log = directory.resolve("job.log");
        Files.writeString(log, "no such program");
        gateway = TestGateway.start(
                directory, options -> options.withPlacement(placement).withLogRoots(directory.toString()));
        core = new CoreOnTheBroker(gateway);
        queues = new TestQueues(gateway.broker);
    }

    @AfterAll
    void stop() throws Exception {
        core.close();
        queues.close();
        gateway.close();
    }

    private ApiClient client(Role role) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(gateway.url().toString().replaceAll("/$", ""));
        client.setRequestInterceptor(
                request -> request.setHeader("Authorization", "Bearer " + gateway.byRole.get(role)));
        return client;
    }

    private static void assertApplied(Outcome outcome) {
        assertThat(outcome.getOutcome()).isEqualTo("applied");
    }

    private static void assertStatus(int status, ThrowingCallable request) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.getCode()).isEqualTo(status));
    }

    private static NewTask task(String uid) {
        return new NewTask()
                .uid(uid)
                .executable("reco.sh")
                .deviceType(NewTask.DeviceTypeEnum.CPU)
                .mode(NewTask.ModeEnum.MAP)
                .order(NewTask.OrderEnum.PRIORITY)
                .rank(BigDecimal.TEN)
                .datInUid("in-" + uid)
                .datOutUid("out-" + uid)
                .datStorUrl("file:///data")
                .datOutUrl("out")
                .targets(List.of(
                        new NewTaskTargetsInner().name("a.raw").storageUrl("file:///data"),
                        new NewTaskTargetsInner().name("b.raw").storageUrl("file:///data")));
    }

    private static Report report(PopAnswer popped, TypeEnum type, StatusEnum status) {
        Map<?, ?> job = (Map<?, ?>) popped.getJob();
        return new Report()
                .type(type)
                .pilotId(PILOT)
                .pool(popped.getPool())
                .jobUid((String) job.get("uid"))
                .attempt((Integer) job.get("attempt"))
                .route((String) job.get("route"))
                .status(status);
    }

    private static ReportRequest reports(Report... reports) {
        return new ReportRequest().pilotId(PILOT).reports(List.of(reports));
    }

    @Test
    void itDrivesEveryOperationThatIsAnsweredWithJson() throws Exception {
        theGatewayItself();
        tasks();
        jobs();
        poolsAndPilots();
        rejectedMessages();
        queues();
        String metrics = gateway.get("/metrics").body();
        assertThat(Contract.operations())
                .filteredOn(operation ->
                        operation.node().at("/responses/200/content").has("application/json"))
                .hasSizeGreaterThan(30)
                .allSatisfy(operation -> assertThat(metrics)
                        .as(operation.name())
                        .containsPattern("requests_seconds_count\\{method=\"" + operation.method() + "\",route=\""
                                + operation.path().replaceAll("([{}])", "\\\\$1")
                                + "\",status=\"(200|204)\"} [1-9]"));
    }

    private void theGatewayItself() throws ApiException {
        TheGatewayItselfApi itself = new TheGatewayItselfApi(client(Role.OPERATOR));
        assertThat(itself.health().getStatus()).isEqualTo(Health.StatusEnum.UP);
        assertThat(itself.whoAmI().getRole()).isEqualTo(Me.RoleEnum.OPERATOR);
    }

    private void tasks() throws ApiException {
        TasksApi tasks = new TasksApi(client(Role.WFMS));
        for (String uid : List.of("t1", "t2", "t3")) {
            assertApplied(tasks.sendTask(task(uid), WAIT));
        }
        assertStatus(404, () -> tasks.getTask("unknown"));
        assertThat(tasks.listTasks(null, null, "cpu", null, null, "t", 2, null).getData())
                .hasSize(2);
        Task shown = tasks.getTask("t1");
        assertThat(shown.getCounts().getTotal()).isEqualTo(2);
        assertApplied(tasks.rankTask("t1", new Rank().rank(BigDecimal.valueOf(50)), WAIT, "once"));
        assertThat(tasks.getTask("t1").getBaseRank()).isEqualByComparingTo("50");
        assertApplied(tasks.pauseTask("t2", WAIT, null, null));
        assertThat(tasks.whyTask("t2").getText()).contains("cpu has no pilots");
        assertApplied(tasks.resumeTask("t2", WAIT, null, null));
        assertApplied(tasks.cancelTask("t2", WAIT, null, null));
        assertApplied(tasks.closeTask("t3", WAIT, null, null));
        assertApplied(tasks.sendTask(task("t4"), WAIT));
        assertApplied(tasks.deleteTask("t4", WAIT, null, null));
        prioritise(tasks);
        assertThat(tasks.taskHistory("t1").getEnded()).isNotEmpty();
        assertThat(tasks.listCommands("t2", 10, null).getData())
                .extracting(command -> command.getType() + " " + command.getOutcome())
                .containsExactly("cancel applied", "resume applied", "pause applied");
    }

    /** A file that waits, because its pool is paused. */
    private void prioritise(TasksApi tasks) throws ApiException {
        PoolsAndPilotsApi pools = new PoolsAndPilotsApi(client(Role.OPERATOR));
        assertApplied(pools.pausePool("cpu", WAIT, null, null));
        assertApplied(tasks.sendTask(task("t5"), WAIT));
        assertApplied(tasks.prioritiseFile("t5", new Priority().position(1L).priority(1), WAIT, null));
        assertApplied(tasks.cancelTask("t5", WAIT, null, null));
        assertApplied(pools.resumePool("cpu", WAIT, null, null));
    }

    private void jobs() throws ApiException {
        PilotsWithoutAmqpApi pilots = new PilotsWithoutAmqpApi(client(Role.PILOT));
        TasksApi tasks = new TasksApi(client(Role.WFMS));
        JobsApi jobs = new JobsApi(client(Role.VIEWER));
        PopRequest ask = new PopRequest().pilotId(PILOT).queues(Set.of("cpu")).waitS(WAIT);
        Report heartbeat =
                new Report().type(TypeEnum.HEARTBEAT).pilotId(PILOT).pool("cpu").state(Report.StateEnum.IDLE);
        assertThat(pilots.report(reports(heartbeat)).getNotices()).isNotNull();
        String failed = null;
        // Some are of the tasks that were stopped.
        while (failed == null) {
            PopAnswer popped = pilots.takeJob(ask);
            Report starting = report(popped, TypeEnum.STATUS, StatusEnum.STARTING);
            Report result = report(popped, TypeEnum.RESULT, StatusEnum.FAILED)
                    .exitCode(7)
                    .errorType(Report.ErrorTypeEnum.EXIT)
                    .errorMessage("no such program")
                    .fileLogUrl(log.toUri().toString());
            assertThat(pilots.report(reports(starting, result)).getNotices()).isNotNull();
            failed = starting.getJobUid().startsWith("t1") ? starting.getJobUid() : null;
        }
        String uid = failed;
        await().until(() -> jobs.getJob(uid).getExitCode() != null);
        assertThat(jobs.getJob(uid).getErrorMessage()).isEqualTo("no such program");
        assertThat(jobs.getJob(uid).getAttempts()).hasSize(1);
        assertThat(jobs.getJobLog(uid, null).getText()).isEqualTo("no such program");
        assertThat(jobs.listJobs("t1", null, null, 10, null).getData()).isNotEmpty();
        assertThat(tasks.summariseJobs("t1").getTotal()).isEqualTo(2);
        assertThat(tasks.summariseFiles("t1").getFailed()).isEqualTo(1);
        assertThat(tasks.listFailures("t1").getData()).isNotEmpty();
        assertThat(jobs.listJobs("t1", JobStatus.FAILED, "raw", 10, null).getData())
                .hasSize(1);
        assertApplied(tasks.retryFailed("t1", WAIT, null, null));
    }

    private void poolsAndPilots() throws ApiException {
        PoolsAndPilotsApi pools = new PoolsAndPilotsApi(client(Role.OPERATOR));
        assertThat(pools.listPools().getData()).isNotEmpty();
        assertApplied(pools.pausePool("cpu", WAIT, null, null));
        assertThat(pools.whyPool("cpu").getText()).isNotBlank();
        assertApplied(pools.drainPool("gpu", WAIT, null, null));
        assertApplied(pools.resumePool("cpu", WAIT, null, null));
        assertThat(pools.history("cpu").getData()).hasSize(1);
        assertThat(pools.listPilots("cpu", null, null, "node7", 10, null).getData())
                .hasSize(1);
        assertThat(pools.getPilot(PILOT).getPool()).isEqualTo("cpu");
        assertApplied(pools.drainPilot(PILOT, WAIT, null, null));
        assertApplied(pools.excludePilot(PILOT, WAIT, null, null));
        assertApplied(pools.includePilot(PILOT, WAIT, null, null));
        LimitsApi limits = new LimitsApi(client(Role.OPERATOR));
        assertApplied(limits.setLimit(new Limit().group("tape").maxInFlight(3), WAIT, null));
        assertThat(limits.listLimits("tape", null, 10, null).getData()).isNotNull();
        assertThat(pools.placement(null, null, 10, null).getData()).hasSize(1);
        TheGatewayItselfApi itself = new TheGatewayItselfApi(client(Role.VIEWER));
        assertThat(itself.overview().getPools()).isNotEmpty();
        TasksApi tasks = new TasksApi(client(Role.VIEWER));
        // All tasks have been admitted by now.
        assertThat(tasks.nextTask("cpu")).isNull();
    }

    private void rejectedMessages() throws Exception {
        RejectedMessagesApi rejected = new RejectedMessagesApi(client(Role.OPERATOR));
        for (String id : List.of("r1", "r2")) {
            String body = "{\"type\": \"pool_resume\", \"id\": \"" + id
                    + "\", \"at\": \"2026-11-26T00:00:00Z\", \"pool\": \"cpu\"}";
            Rejected message = Rejected.of(
                    "no room for it",
                    null,
                    gateway.broker.name(Names.COMMANDS),
                    Instant.now(),
                    body.getBytes(StandardCharsets.UTF_8));
            try (Connection connection = gateway.broker.connect()) {
                Channel channel = connection.createChannel();
                channel.confirmSelect();
                channel.basicPublish("", gateway.broker.name(Names.REJECTED), null, Json.write(message));
                channel.waitForConfirms();
            }
        }
        await().until(() -> rejected.listRejected(10).getData().size() == 2);
        List<RejectedListDataInner> found = rejected.listRejected(10).getData();
        assertThat(rejected.resendRejected(found.get(0).getId(), null)).isNotNull();
        assertThat(rejected.dropRejected(found.get(1).getId())).isNotNull();
    }

    private void queues() throws ApiException {
        QueuesApi operator = new QueuesApi(client(Role.OPERATOR));
        QueuesApi feeder = new QueuesApi(client(Role.FEEDER));
        QueuesApi worker = new QueuesApi(client(Role.WORKER));
        assertThat(operator.setQueue("scans", new QueueSettings().leaseS(60).attempts(1))
                        .getOutcome())
                .isEqualTo("ok");
        assertThat(operator.setQueueOwner("scans", "org7", new QueueOwner().weight(2))
                        .getOutcome())
                .isEqualTo("ok");
        assertThat(operator.setQueueLimit(new QueueLimit().group("net:a").maxInFlight(3))
                        .getOutcome())
                .isEqualTo("ok");
        assertThat(operator.listQueueLimits().getData().get(0).getMaxInFlight()).isEqualTo(3);
        assertThat(operator.listQueueOwners("scans").getData().get(0).getWeight())
                .isEqualTo(2);
        assertThat(feeder.pushItems(
                                "scans",
                                new Push().key("a").payload(Map.of("host", "a")).groups(List.of("g")))
                        .getOutcome())
                .isEqualTo(PushOutcome.CREATED);
        Push several = new Push().items(List.of(new Item().key("b"), new Item().key("c")));
        assertThat(feeder.pushItems("scans", several).getOutcomes()).hasSize(2);
        assertThat(feeder.peekItems("scans", 2, "waiting", null).getData()).hasSize(2);
        assertThat(feeder.getItem("scans", "a", null).getState()).isEqualTo(ShownItem.StateEnum.WAITING);
        assertThat(worker.listQueues().getData()).hasSize(1);
        work(worker);
        assertThat(operator.redriveItems("scans", new Redrive().most(10)).getCount())
                .isEqualTo(1);
        assertThat(operator.scoreItems("scans", new Scored().key("c").facts(Map.of("level", BigDecimal.ONE)))
                        .getOutcome())
                .isEqualTo("ok");
        answers(operator, worker);
        assertThat(feeder.removeItem("scans", "c", null).getOutcome()).isEqualTo("ok");
        assertThat(operator.pauseQueue("scans", null).getOutcome()).isEqualTo("ok");
        assertThat(worker.getQueue("scans", null).getPaused()).isTrue();
        assertThat(operator.resumeQueue("scans", null).getOutcome()).isEqualTo("ok");
        assertThat(operator.purgeQueue("scans", null).getCount()).isEqualTo(1);
        assertThat(operator.deleteQueue("scans", null).getOutcome()).isEqualTo("ok");
        assertStatus(404, () -> operator.getQueue("scans", null));
    }

    private static void answers(QueuesApi operator, QueuesApi worker) throws ApiException {
        Ask ask = new Ask().key("host").kind("whois").again(new Again().everyS(3600));
        assertThat(operator.askAnswer("scans", ask).getOutcome()).isEqualTo(KeyAnswer.OutcomeEnum.PENDING);
        PoppedItemsInner item = worker.popItems("scans", new Pop().kinds(List.of("whois")))
                .getItems()
                .get(0);
        Ended finished = new Ended()
                .token(item.getToken())
                .end(Ended.EndEnum.FINISHED)
                .result("found")
                .freshS(60);
        assertThat(worker.endLeases("scans", finished).getOutcome()).isEqualTo("ok");
        assertThat(operator.askAnswer("scans", ask).getResult()).isEqualTo("found");
        assertThat(operator.getAnswer("scans", "host", null, null, null).getFreshMs())
                .isBetween(1L, 60_000L);
        ShownItem resting = operator.getItem("scans", "host", null);
        assertThat(resting.getState()).isEqualTo(ShownItem.StateEnum.RESTING);
        assertThat(resting.getAgain().getEveryS()).isEqualTo(3600);
        assertThat(resting.getAnswer().getResult()).isEqualTo("found");
    }

    private static void work(QueuesApi worker) throws ApiException {
        PoppedItemsInner first =
                worker.popItems("scans", new Pop().waitS(WAIT)).getItems().get(0);
        assertThat(first.getPayload()).isEqualTo(Map.of("host", "a"));
        assertThat(worker.extendLeases(
                                "scans", new Extended().token(first.getToken()).leaseS(30))
                        .getLeaseS())
                .isBetween(29, 30);
        assertThat(worker.holdGroup(
                                "scans",
                                new Held().token(first.getToken()).group("g").holdS(1))
                        .getOutcome())
                .isEqualTo("ok");
        Ended finished =
                new Ended().token(first.getToken()).end(Ended.EndEnum.FINISHED).result(List.of(443));
        assertThat(worker.endLeases("scans", finished).getOutcome()).isEqualTo("ok");
        assertStatus(409, () -> worker.endLeases("scans", finished));
        PoppedItemsInner second = worker.popItems("scans", new Pop()).getItems().get(0);
        Ended failed = new Ended()
                .items(List.of(new EndedItemsInner()
                        .token(second.getToken())
                        .end(EndedItemsInner.EndEnum.FAILED)
                        .error("no route")));
        assertThat(worker.endLeases("scans", failed).getOutcomes()).hasSize(1);
    }
}
