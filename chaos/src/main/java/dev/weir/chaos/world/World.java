package dev.weir.chaos.world;

import com.rabbitmq.client.Connection;
import dev.weir.chaos.hostile.Door;
import dev.weir.chaos.hostile.Hostility;
import dev.weir.chaos.hostile.Replays;
import dev.weir.chaos.load.AnswerTraffic;
import dev.weir.chaos.load.Crowd;
import dev.weir.chaos.load.Flock;
import dev.weir.chaos.load.ItemTraffic;
import dev.weir.chaos.load.Wfms;
import dev.weir.chaos.plan.Fault;
import dev.weir.chaos.plan.Target;
import dev.weir.testing.PrivatePostgres;
import dev.weir.testing.PrivateRabbit;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A running system with a RabbitMQ and a PostgreSQL of its own, all as processes, and what faults do to it. For one thread, except for
 * WFMS, crowd and the traffic of items, which have their own.
 */
public final class World implements AutoCloseable {

    private static final String HTTP_PILOT = "p2";

    /** The pilots that run programs: one by AMQP, and one that reaches only the gateway. */
    private static final Map<Target, String> PILOTS = Map.of(Target.PILOT, "p1", Target.HTTP_PILOT, HTTP_PILOT);

    private static final int PROGRAM_FILES = 40;
    private static final int OPEN_TASKS = 3;
    private static final Duration WARM = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 50;

    private static final String PROGRAM = """
            case "$1" in
              *bad-*) exit 1 ;;
              *flaky-*) [ "$2" -gt 1 ] || exit 1 ;;
            esac
            cat "$1\"""";

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final Map<Target, Victim> victims = new EnumMap<>(Target.class);
    private final Map<Target, WeirProcess> pilots = new EnumMap<>(Target.class);
    private final Replays heard = new Replays();
    private final Path directory;
    private final PrivateRabbit rabbit;
    private final Site site;
    private final Flink flink;
    private final Crowd crowd;
    private final Wfms wfms;
    private final ItemTraffic items;
    private final AnswerTraffic answers;
    private WeirProcess dsm;
    private WeirProcess gateway;

    /**
     * Starts everything, and the load.
     *
     * @param home for all files and logs; those in it are kept
     * @param cluster whether Weir runs on a JobManager and a TaskManager, or in one process
     * @param files of each task of the crowd
     */
    public World(Path home, boolean cluster, int files) throws Exception {
        this.directory = Files.createDirectories(home).toRealPath();
        try {
            rabbit = opened(new PrivateRabbit(List.of()));
            PrivatePostgres postgres = opened(new PrivatePostgres(directory.resolve("postgres")));
            site = new Site(directory, ScratchBroker.at(rabbit.uri()), postgres.createDatabase());
            closing.push(this::closeSite);
            Path checkpoints = directory.resolve("checkpoints");
            SmallDisk disk = opened(new SmallDisk(checkpoints));
            DsmProxy proxy = opened(new DsmProxy(site.dsmUrl()));
            settings(proxy);
            dsm = site.dsm();
            flink = opened(
                    cluster
                            ? new SessionCluster(site, directory, checkpoints)
                            : new OneProcess(site, directory, checkpoints));
            flink.start();
            gateway = site.gateway();
            for (Target pilot : PILOTS.keySet()) {
                startPilot(pilot);
            }
            crowd = opened(new Crowd(site, body -> heard.noteGood(Door.REPORTS, body)));
            wfms = opened(new Wfms(site, flocks(files), body -> heard.noteGood(Door.TASKS, body)));
            items = opened(new ItemTraffic(site));
            answers = opened(new AnswerTraffic(site));
            rabbit.keepDeclarations();
            victims.put(Target.RABBITMQ, new ProcessVictim(rabbit::processes, rabbit::kill, rabbit::start));
            victims.put(Target.POSTGRES, new ProcessVictim(postgres::processes, postgres::kill, postgres::start));
            victims.put(Target.DSM, proxy);
            victims.put(Target.GATEWAY, process(() -> gateway, () -> gateway = site.gateway()));
            for (Target pilot : PILOTS.keySet()) {
                victims.put(pilot, process(() -> pilots.get(pilot), () -> startPilot(pilot)));
            }
            if (disk.isMounted()) {
                victims.put(Target.CHECKPOINTS, disk);
            }
            for (Target target : flink.targets()) {
                victims.put(target, weir(target));
            }
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        closing.push(one);
        return one;
    }

    private void settings(DsmProxy proxy) {
        site.with("weir.dsm.url", proxy.url())
                .with("weir.scheduling.heartbeat", "1 s")
                .with("weir.scheduling.lease", "10 s")
                .with("weir.scheduling.cool-off", "100 ms")
                .with("weir.scheduling.cool-off-max", "2 s")
                .with("weir.scheduling.task-row-interval", "500 ms")
                .with("weir.pools", "cpu;gpu;" + Hostility.POOL)
                .with("weir.scheduling.command-wait", "20 s")
                .with("weir.queues.enabled", true)
                .with("execution.checkpointing.interval", "1 s");
    }

    private List<Flock> flocks(int files) throws IOException {
        site.program("picky", PROGRAM);
        List<String> names = Flock.names(PROGRAM_FILES);
        Path inputs = Files.createDirectories(site.storage().resolve("in"));
        for (String name : names) {
            Files.writeString(inputs.resolve(name), name);
        }
        String storage = "file://" + site.storage();
        return List.of(
                new Flock("crowd", "CPU", "file:///store/in", "file:///store", Flock.names(files), OPEN_TASKS, true),
                new Flock("programs", "GPU", storage + "/in", storage, names, 1, false));
    }

    private void startPilot(Target pilot) throws IOException {
        String id = PILOTS.get(pilot);
        pilots.put(pilot, pilot == Target.PILOT ? site.pilot(id, "--pool=gpu") : site.httpPilot(id, "--pool=gpu"));
    }

    private static Victim process(Supplier<WeirProcess> process, ProcessVictim.Start start) {
        return new ProcessVictim(
                () -> tree(ProcessHandle.of(process.get().pid()).stream()),
                () -> process.get().kill(),
                start);
    }

    private Victim weir(Target target) {
        return new ProcessVictim(
                () -> flink.process(target).stream().toList(),
                () -> flink.process(target).ifPresent(process -> {
                    process.destroyForcibly();
                    process.onExit().join();
                }),
                flink::start);
    }

    private static List<ProcessHandle> tree(Stream<ProcessHandle> roots) {
        List<ProcessHandle> all = new ArrayList<>();
        roots.forEach(root -> {
            all.add(root);
            all.addAll(root.descendants().toList());
        });
        return all;
    }

    public Site site() {
        return site;
    }

    public Crowd crowd() {
        return crowd;
    }

    public Wfms wfms() {
        return wfms;
    }

    public ItemTraffic items() {
        return items;
    }

    public AnswerTraffic answers() {
        return answers;
    }

    /** Returns when pilots have jobs and workers have items; throws when they do not get any, without a fault. */
    public void awaitTraffic() throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long begun = System.nanoTime();
        while (crowd.dispatches().fresh() <= crowd.size() || items.leases() == 0) {
            if (System.nanoTime() - begun > WARM.toNanos()) {
                throw new IOException("pilots have no jobs or workers no items within " + WARM.toSeconds()
                        + " s, without any fault; " + wfms.lastTrouble());
            }
            var unused = never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Whether the disk of checkpoints can be filled, for which it must be mounted. */
    public boolean hasSmallDisk() {
        return victims.containsKey(Target.CHECKPOINTS);
    }

    public void hit(Fault fault) throws IOException, InterruptedException {
        victims.get(fault.target()).hit(fault.how());
    }

    /** The end of a fault: returns when its target runs again and answers. */
    public void heal(Fault fault) throws IOException, InterruptedException, SQLException {
        victims.get(fault.target()).heal(fault.how());
    }

    /**
     * What a supervisor does: starts again what has ended by itself.
     *
     * @return what that was
     */
    public List<String> supervise() throws IOException, InterruptedException {
        List<String> ended = new ArrayList<>();
        flink.dead().forEach(target -> ended.add(target.toString()));
        if (!ended.isEmpty()) {
            flink.start();
        }
        if (!gateway.isAlive()) {
            ended.add(Target.GATEWAY.toString());
            gateway = site.gateway();
        }
        for (Target pilot : PILOTS.keySet()) {
            if (!pilots.get(pilot).isAlive()) {
                ended.add(pilot.toString());
                startPilot(pilot);
            }
        }
        if (!dsm.isAlive()) {
            ended.add("dsm");
            dsm = site.dsm();
        }
        return ended;
    }

    /** How the processes of Weir are; stops each for a moment. */
    public Vitals vitals() throws IOException, InterruptedException {
        return Vitals.of(flink);
    }

    /** What was sent to Weir. */
    public Replays heard() {
        return heard;
    }

    /** Jobs that the broker keeps for the crowd. */
    public int queuedJobs() throws IOException {
        try (Connection connection = site.broker().connect()) {
            return connection
                    .createChannel()
                    .queueDeclarePassive(site.jobsQueue("cpu"))
                    .getMessageCount();
        }
    }

    /** Jobs whose accepted results came through the gateway, by the mirror. */
    public int finishedByHttp() throws SQLException {
        return site.database()
                .rows("SELECT uid FROM job_all WHERE status = 'Finished' AND pilot_id = '" + HTTP_PILOT + "'")
                .size();
    }

    /** Where logs are, by what they are of. */
    public Map<String, String> logs() {
        Map<String, String> logs = new HashMap<>(flink.logs());
        logs.put("programs", directory.resolve("logs").toString());
        return logs;
    }

    private void closeSite() throws SQLException, InterruptedException {
        try {
            site.close();
        } catch (IOException e) {
            // The broker is ours and goes next: nobody needs its queues deleted.
        }
    }

    /** Stops everything, in the opposite order; whatever fails does not keep the others from being stopped. */
    @Override
    public void close() throws Exception {
        Exception first = null;
        while (!closing.isEmpty()) {
            try {
                closing.pop().close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
