package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Order;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Result;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A small hostile world, seeded: reports are lost, repeated and reordered, pilots die, people steer, and the scheduler is put back
 * to an earlier snapshot while the world goes on. In the end every task has closed once, with exactly what was registered.
 */
@Tag("long")
class SoakTest {

    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, 80);
    }

    private Random random;
    private Lab lab;
    /** Reports and commands not yet delivered; those since the last snapshot, to be delivered again after a restore. */
    private final List<Event> onTheWay = new ArrayList<>();

    private final List<Event> sinceSnapshot = new ArrayList<>();
    private dev.weir.engine.store.HeapStore snapshot;
    private int registrationsAtSnapshot;
    private int eventsAtSnapshot;
    private final Map<String, Job> running = new HashMap<>();

    @ParameterizedTest
    @MethodSource("seeds")
    void everythingClosesOnceWithExactlyWhatWasRegistered(long seed) {
        random = new Random(seed);
        lab = new Lab(SchedulerOptions.defaults()
                .withSeed(seed)
                .withPool(
                        "cpu",
                        random.nextBoolean()
                                ? PoolOptions.defaults()
                                : PoolOptions.defaults().withWindow(7))
                .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(1 + random.nextInt(5)))
                .withAttempts(AttemptOptions.defaults().withQueuedTimeout(Duration.ofMinutes(2)))
                .withLimits(new LimitOptions(
                        List.of(),
                        Map.of(
                                "one",
                                GroupLimit.inFlight(1),
                                "rate",
                                new GroupLimit(GroupLimit.UNLIMITED, 3, Duration.ofSeconds(20))))));
        lab.apply(new Event.Tick());
        checkpoint();
        Map<String, Integer> files = sendTasks();
        for (int step = 0; step < 3000; step++) {
            step(step < 1500);
            check();
        }
        for (int step = 0; step < 100_000 && lab.scheduler.metrics().openTasks() > 0; step++) {
            step(false);
            check();
        }
        assertThat(lab.scheduler.metrics().openTasks())
                .as("%s %s", lab.taskRows, lab.scheduler.metrics())
                .isZero();
        for (String task : files.keySet()) {
            ended(task, files.get(task));
        }
    }

    private Map<String, Integer> sendTasks() {
        Map<String, Integer> files = new HashMap<>();
        int tasks = 1 + random.nextInt(7);
        for (int i = 0; i < tasks; i++) {
            int count = random.nextInt(120);
            String uid = "t" + i;
            files.put(uid, count);
            List<FileInfo> infos = new ArrayList<>();
            boolean grouped = random.nextInt(3) == 0;
            for (int f = 0; f < count; f++) {
                infos.add(
                        !grouped
                                ? Lab.file("f" + f)
                                : switch (random.nextInt(4)) {
                                    case 0 -> Lab.grouped("f" + f, "one");
                                    case 1 -> Lab.grouped("f" + f, "rate");
                                    case 2 -> Lab.grouped("f" + f, "one", "rate");
                                    default -> Lab.grouped("f" + f);
                                });
            }
            lab.dataset("in" + i, infos);
            TaskBuilder task = Lab.task(uid, "in" + i)
                    .rank(1 + random.nextInt(9))
                    .retry(random.nextInt(3))
                    .autoCancel(random.nextBoolean())
                    .chunkFiles(10 + random.nextInt(20))
                    .order(Order.values()[random.nextInt(3)]);
            if (random.nextInt(4) == 0) {
                task.merge(1 + random.nextInt(20));
            }
            onTheWay.add(new Event.TaskArrived(task.build()));
        }
        return files;
    }

    private void checkpoint() {
        snapshot = lab.store.snapshot();
        sinceSnapshot.clear();
        registrationsAtSnapshot = lab.registrations.size();
        eventsAtSnapshot = lab.events.size();
    }

    private void deliver(Event event) {
        sinceSnapshot.add(event);
        lab.apply(event);
    }

    private void step(boolean hostile) {
        while (!lab.pages.isEmpty()) {
            var request = lab.pages.poll();
            if (hostile && random.nextInt(5) == 0) {
                onTheWay.add(new Event.PageFailed(
                        request.taskUid(), request.datasetUid(), request.offset(), request.limit(), false, "503"));
            } else if (!hostile || random.nextInt(20) != 0) {
                onTheWay.add(lab.answer(request));
            }
        }
        while (!lab.beats.isEmpty()) {
            Beat beat = lab.beats.poll();
            onTheWay.add(new Event.ReportArrived(beat));
        }
        lab.now += random.nextInt(3000);
        if (lab.scheduler.nextDeadlineMillis() <= lab.now) {
            lab.apply(new Event.Tick());
        }
        switch (random.nextInt(hostile ? 12 : 8)) {
            case 0, 1, 2, 3, 4 -> {
                if (!onTheWay.isEmpty()) {
                    int at = hostile ? random.nextInt(onTheWay.size()) : 0;
                    Event event = random.nextInt(hostile ? 10 : 1000) == 0 ? onTheWay.get(at) : onTheWay.remove(at);
                    deliver(event);
                }
            }
            case 5 -> takeJob(hostile);
            case 6 -> endJob(hostile);
            case 7 -> heartbeats();
            case 8 -> checkpoint();
            case 9 -> {
                if (random.nextInt(10) == 0) {
                    restore();
                }
            }
            case 10 -> {
                if (random.nextInt(20) == 0) {
                    command();
                }
            }
            default -> {
                if (random.nextInt(10) == 0 && !running.isEmpty()) {
                    running.remove(new TreeSet<>(running.keySet()).first());
                }
            }
        }
    }

    private void restore() {
        onTheWay.addAll(sinceSnapshot);
        sinceSnapshot.clear();
        // What leaves with the checkpoint never left.
        lab.registrations
                .subList(registrationsAtSnapshot, lab.registrations.size())
                .clear();
        lab.events.subList(eventsAtSnapshot, lab.events.size()).clear();
        lab.restore(snapshot);
    }

    private void takeJob(boolean hostile) {
        Job job = lab.take();
        if (job == null) {
            return;
        }
        String pilot = "p" + random.nextInt(6);
        if (running.containsKey(pilot)) {
            lab.queues.get("cpu").addFirst(job);
            return;
        }
        if (hostile && random.nextInt(30) == 0) {
            return; // the broker lost it
        }
        running.put(pilot, job);
        report(new dev.weir.protocol.Status(
                pilot, "cpu", null, job.uid(), job.attempt(), job.route(), dev.weir.protocol.Status.Phase.STARTING));
    }

    private void endJob(boolean hostile) {
        if (running.isEmpty()) {
            return;
        }
        List<String> pilots = new ArrayList<>(new TreeSet<>(running.keySet()));
        String pilot = pilots.get(random.nextInt(pilots.size()));
        Job job = running.remove(pilot);
        if (random.nextBoolean()) {
            report(new dev.weir.protocol.Status(
                    pilot, "cpu", null, job.uid(), job.attempt(), job.route(), dev.weir.protocol.Status.Phase.RUNNING));
        }
        int what = random.nextInt(hostile ? 10 : 20);
        Result result = switch (what) {
            case 0, 1 -> Lab.result(pilot, job, Result.Outcome.FAILED, ErrorType.EXIT);
            case 2 -> Lab.result(pilot, job, Result.Outcome.FAILED, ErrorType.STAGE_IN);
            case 3 -> Lab.result(pilot, job, Result.Outcome.KILLED, ErrorType.KILLED);
            default -> Lab.result(pilot, job, Result.Outcome.FINISHED, null);
        };
        report(result);
    }

    private void report(dev.weir.protocol.Report report) {
        onTheWay.add(new Event.ReportArrived(report));
    }

    private void heartbeats() {
        String idle = "p" + random.nextInt(6);
        if (!running.containsKey(idle)) {
            report(new dev.weir.protocol.Heartbeat(
                    idle, "cpu", null, null, null, null, dev.weir.protocol.PilotState.IDLE, null, null, null));
        }
        running.forEach((pilot, job) -> report(new dev.weir.protocol.Heartbeat(
                pilot,
                "cpu",
                null,
                null,
                null,
                null,
                dev.weir.protocol.PilotState.BUSY,
                job.uid(),
                job.attempt(),
                job.route())));
    }

    private void command() {
        String task = "t" + random.nextInt(7);
        Command.Type type = switch (random.nextInt(6)) {
            case 0 -> Command.Type.CANCEL;
            case 1 -> Command.Type.CLOSE;
            case 2 -> Command.Type.PAUSE;
            case 3 -> Command.Type.RETRY_FAILED;
            default -> Command.Type.RESUME;
        };
        onTheWay.add(commandEvent(type, task, lab.now));
        if (type == Command.Type.PAUSE) {
            onTheWay.add(commandEvent(Command.Type.RESUME, task, lab.now + 60_000));
        }
    }

    private Event commandEvent(Command.Type type, String task, long at) {
        return new Event.CommandArrived(Command.ofTask(
                "c" + random.nextInt(1_000_000_000), java.time.Instant.ofEpochMilli(at), null, type, task));
    }

    /** What must hold after every event. */
    private void check() {
        SchedulerMetrics.Pool pool = lab.scheduler.metrics().pools().get("cpu");
        assertThat(pool.queued()).isNotNegative();
        assertThat(pool.started()).isNotNegative();
        lab.taskRows.values().forEach(row -> {
            JobCounts c = row.counts();
            if (c.total() != null) {
                assertThat(c.waiting()).as("%s", row).isNotNegative();
                assertThat(c.waiting()
                                + c.queued()
                                + c.starting()
                                + c.running()
                                + c.cooling()
                                + c.finished()
                                + c.failed()
                                + c.killed()
                                + c.cancelled())
                        .isEqualTo(c.total());
            }
        });
    }

    private void ended(String task, int files) {
        List<Registration.Close> closes = lab.closes(task + "-out");
        assertThat(closes).as(task).hasSize(1);
        Set<String> registered = new HashSet<>();
        Set<String> ids = new HashSet<>();
        boolean closed = false;
        for (Registration registration : lab.registrations) {
            if (registration.datasetUid().equals(task + "-out")) {
                assertThat(closed).isFalse();
                if (registration instanceof Registration.File file) {
                    assertThat(registered.add(name(file.path()))).as("%s", file).isTrue();
                    assertThat(ids.add(file.jobUid()))
                            .as("two outputs of %s", file.jobUid())
                            .isTrue();
                } else if (registration instanceof Registration.Log log) {
                    assertThat(registered.add(name(log.path()))).as("%s", log).isTrue();
                } else {
                    closed = true;
                }
            }
        }
        assertThat(new HashSet<>(closes.get(0).checkList())).isEqualTo(registered);
        JobCounts counts = lab.taskRows.get(task).counts();
        assertThat(lab.taskRows.get(task).state()).isEqualTo(TaskState.CLOSED);
        assertThat(counts.finished() + counts.failed() + counts.killed() + counts.cancelled())
                .isEqualTo(counts.total());
        assertThat(ids.size()).isEqualTo((int) counts.finished());
        assertThat(files).isGreaterThanOrEqualTo((int) (long) counts.total());
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
