package dev.weir.simulator.world;

import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.PilotPlan;
import dev.weir.simulator.scenario.Rand;
import dev.weir.simulator.world.Programs.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A pilot after the protocol: one job at a time, taken only when idle, acknowledged once its {@code starting} is with the broker;
 * heartbeats; results kept until the broker has them; notices obeyed, but drain and resume only by those that know them: some are of
 * an older version. It may die, come back, and hang.
 */
final class Pilot {

    private final World world;
    private final PilotPlan plan;
    private final Rand rand;
    private final List<Report> held = new ArrayList<>();
    private long drainedUntil;
    private int lives;
    private boolean alive;
    private long hungUntil;
    private Job job;
    private String jobPool;
    private boolean acknowledged;
    private Run run;
    private int jobs;
    private long busySince;
    private long busyMillis;
    private long aliveSince;
    private long aliveMillis;
    /** Since when it takes nothing because it was told so; negative: it may. */
    private long restSince = -1;

    private long restMillis;

    Pilot(World world, PilotPlan plan) {
        this.world = world;
        this.plan = plan;
        this.rand = Rand.of(world.scenario().seed(), "life of " + plan.id());
    }

    String id() {
        return plan.id();
    }

    List<String> pools() {
        return plan.pools();
    }

    boolean isAlive() {
        return alive;
    }

    long busyMillis(long now) {
        return busyMillis + (job != null && run != null ? now - busySince : 0);
    }

    /** Without the time in which it had no job because it was told to take none. */
    long ableMillis(long now) {
        return aliveMillis + (alive ? now - aliveSince : 0) - restMillis - (restSince < 0 ? 0 : now - restSince);
    }

    private void restChanged() {
        long now = world.time().now();
        boolean rests = alive && job == null && isDrained();
        if (!rests && restSince >= 0) {
            restMillis += now - restSince;
        }
        if (rests != restSince >= 0) {
            restSince = rests ? now : -1;
        }
    }

    void join() {
        if (alive) {
            return;
        }
        alive = true;
        aliveSince = world.time().now();
        lives++;
        hungUntil = 0;
        drainedUntil = 0;
        world.trace("pilot", plan.id(), "joins", "");
        beatOn();
        askForWork();
    }

    private boolean isDrained() {
        return world.time().now() < drainedUntil;
    }

    private void askForWork() {
        restChanged();
        if (job == null && !isDrained()) {
            world.broker().leave(this);
            world.broker().ask(this);
        }
    }

    void die() {
        if (!alive) {
            return;
        }
        world.trace("pilot", plan.id(), "dies with", job == null ? "nothing" : job.uid());
        aliveMillis += world.time().now() - aliveSince;
        alive = false;
        restChanged();
        lives++;
        held.clear();
        world.broker().leave(this);
        Job lost = job;
        String pool = jobPool;
        boolean again = !acknowledged;
        endBusy();
        job = null;
        if (lost != null && again) {
            world.broker().requeue(pool, lost);
        }
    }

    void hang(long millis) {
        world.trace("pilot", plan.id(), "hangs", millis);
        hungUntil = Math.max(hungUntil, world.time().now() + millis);
    }

    /** Runs only if this life still goes on then, and later if the pilot hangs. */
    Runnable whileAlive(Runnable action) {
        int life = lives;
        return () -> {
            if (life != lives) {
                return;
            }
            if (world.time().now() < hungUntil) {
                world.time().at(hungUntil, whileAlive(action));
            } else {
                action.run();
            }
        };
    }

    private Runnable whileAt(int number, Runnable action) {
        return whileAlive(() -> {
            if (jobs == number && job != null) {
                action.run();
            }
        });
    }

    private void beatOn() {
        heartbeat();
        long period = world.scenario().options().pilots().heartbeat().toMillis();
        world.time().after(period - rand.between(0L, period / 10), whileAlive(this::beatOn));
    }

    private void heartbeat() {
        boolean busy = job != null && run != null;
        send(new Heartbeat(
                plan.id(),
                busy ? jobPool : plan.pools().get(0),
                plan.pools(),
                now(),
                plan.pools().contains("gpu") ? Device.CPU_GPU : Device.CPU,
                new NodeInfo(plan.node(), 8, 1L << 34),
                isDrained() ? PilotState.DRAINING : null,
                busy ? job.uid() : null,
                busy ? job.attempt() : null,
                busy ? job.route() : null));
    }

    /** The broker has decided that this job goes here; it is under way. */
    void reserve(String pool, Job taken) {
        job = taken;
        restChanged();
        jobPool = pool;
        acknowledged = false;
        run = null;
        jobs++;
    }

    void take(String pool, Job taken) {
        int number = jobs;
        run = world.programs().run(taken, plan, lives * 1000 + number, world.isHealed());
        busySince = world.time().now();
        send(new Status(plan.id(), pool, now(), taken.uid(), taken.attempt(), taken.route(), Status.Phase.STARTING));
        if (world.broker().isUp()) {
            world.time().after(world.broker().latency(), whileAt(number, () -> acknowledged = true));
        }
        world.time().after(run.stageInMillis(), whileAt(number, this::started));
    }

    private void started() {
        int number = jobs;
        send(new Status(plan.id(), jobPool, now(), job.uid(), job.attempt(), job.route(), Status.Phase.RUNNING));
        world.time().after(run.runMillis(), whileAt(number, () -> end(run.result(now(), null))));
    }

    private void end(Result result) {
        world.outside().made(result.fileOutUrl());
        world.outside().made(result.fileLogUrl());
        send(result);
        endBusy();
        job = null;
        jobs++;
        restChanged();
        world.time().after(world.broker().latency(), whileAlive(this::askForWork));
    }

    private void endBusy() {
        if (job != null && run != null) {
            busyMillis += world.time().now() - busySince;
        }
        run = null;
    }

    void hear(Notice notice) {
        if (!notice.type().isAboutAttempt()) {
            world.time().after(world.broker().latency(), whileAlive(() -> steered(notice)));
            return;
        }
        int number = jobs;
        world.time().after(world.broker().latency(), whileAlive(() -> {
            boolean mine = job != null
                    && run != null
                    && !run.hangs()
                    && jobs == number
                    && job.uid().equals(notice.jobUid())
                    && job.attempt() == notice.attempt();
            if (mine) {
                acknowledged = true;
                end(run.result(now(), notice.type()));
            }
        }));
    }

    private void steered(Notice notice) {
        // Once the world has healed all are of the newest version.
        if (!plan.knowsDrain() && !world.isHealed()) {
            return;
        }
        boolean was = isDrained();
        boolean drain = notice.type() == Notice.Kind.DRAIN;
        drainedUntil = drain ? world.time().now() + notice.leaseS() * 1000L : 0;
        restChanged();
        if (drain && job == null) {
            world.broker().leave(this);
        }
        if (drain) {
            world.time().at(drainedUntil, whileAlive(this::askForWork));
        } else {
            askForWork();
        }
        if (was != drain) {
            heartbeat();
        }
    }

    /** What was not acknowledged is the broker's again; this pilot goes on with it all the same. */
    void connectionLost() {
        if (alive && job != null && !acknowledged) {
            acknowledged = true;
            Job again = job;
            String pool = jobPool;
            if (run == null) {
                job = null;
                jobs++;
                askForWork();
            }
            world.broker().requeue(pool, again);
        }
    }

    void brokerIsBack() {
        List<Report> reports = new ArrayList<>(held);
        held.clear();
        for (Report report : reports) {
            world.time().after(rand.between(0, 200), whileAlive(() -> send(report)));
        }
    }

    private void send(Report report) {
        if (world.broker().isUp()) {
            world.broker().toWeir(new Inbound.Message(new Event.ReportArrived(report)));
        } else if (!(report instanceof Heartbeat)) {
            held.add(report);
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(world.time().now());
    }
}
