package dev.weir.simulator.truth;

import dev.weir.protocol.Beat;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import java.util.ArrayList;

/** What reports may and must lead to: ownership, leases, adoption, the late result that wins, budgets. */
final class Reports {

    private final State state;
    private final Pilots pilots;

    Reports(State state, Pilots pilots) {
        this.pilots = pilots;
        this.state = state;
    }

    void begin(Report report, Context context) {
        if (report instanceof Beat) {
            beat(context.now);
        } else if (report instanceof Heartbeat heartbeat) {
            if (!knownPool(heartbeat.pool(), context)) {
                return;
            }
            pilots.heard(heartbeat);
            if (heartbeat.jobUid() != null) {
                find(heartbeat.jobUid(), heartbeat.attempt(), heartbeat.route(), heartbeat.pilotId(), context);
                goesOn(context);
            }
        } else if (report instanceof Status status) {
            if (knownPool(status.pool(), context)) {
                pilots.heard(status.pilotId(), status.pool(), isStranger(status.pilotId()));
                find(status.jobUid(), status.attempt(), status.route(), status.pilotId(), context);
                goesOn(context);
            }
        } else if (report instanceof Result result) {
            if (knownPool(result.pool(), context)) {
                pilots.heard(result.pilotId(), result.pool(), isStranger(result.pilotId()));
                find(result.jobUid(), result.attempt(), result.route(), result.pilotId(), context);
                ends(result, context);
            }
        }
    }

    private void beat(long now) {
        long step = state.beatAt < 0 ? state.heartbeatMillis() : Math.min(now - state.beatAt, state.heartbeatMillis());
        state.clockBefore = state.beatClock;
        state.beatClock += step;
        state.beatAt = now;
    }

    private boolean knownPool(String name, Context context) {
        boolean known = state.pools.containsKey(name);
        if (!known) {
            context.refusal = Context.Refusal.MUST;
        }
        return known;
    }

    private static boolean isStranger(String pilot) {
        return pilot.equals("stranger");
    }

    private void find(String uid, int attempt, String route, String pilot, Context context) {
        context.jobUid = uid;
        context.attempt = attempt;
        context.pilot = pilot;
        context.unsure = true;
        JobTruth known = state.jobs.get(uid);
        if (known != null && attempt >= known.attempt) {
            // The message of the cancelled attempt has left the queue; what is heard of earlier ones says nothing about
            // it.
            known.ghostSince = -1;
        }
        if (isStranger(pilot)) {
            // What is known of other tasks and positions must not change because of it.
            context.refusal = known == null ? Context.Refusal.MAY : Context.Refusal.MUST;
            state.reportsWithoutTask++;
            return;
        }
        Route place;
        try {
            place = Route.decode(route);
        } catch (InvalidMessage e) {
            context.refusal = Context.Refusal.MAY;
            return;
        }
        TaskTruth task = state.tasks.get(place.taskUid());
        if (task == null) {
            state.reportsWithoutTask++;
            claim(context);
            return;
        }
        if (task.terminal != null) {
            context.unsure = false;
            return;
        }
        if (place.position() >= task.jobs.length) {
            return;
        }
        JobTruth job = task.jobs[(int) place.position()];
        context.job = job;
        context.unsure = task.broken || !task.isRead(job) && job.attempt == 0;
        if (!task.isRead(job) && job.attempt == 0) {
            claim(context);
        }
    }

    private void claim(Context context) {
        Report report = ((Event.ReportArrived) context.event).report();
        state.claims.computeIfAbsent(context.jobUid, uid -> new ArrayList<>()).add(report);
    }

    private void goesOn(Context context) {
        context.goesOn = true;
        JobTruth job = context.job;
        if (job == null) {
            return;
        }
        int same = Statuses.bit(job.status);
        if (job.isOwnedBy(context.pilot, context.attempt)) {
            job.renewedAt = state.beatClock;
        }
        boolean back = mayBeBack(job, context);
        if (context.unsure) {
            context.allowed = same | Statuses.OWNED | Statuses.PENDING | Statuses.QUEUED;
            return;
        }
        if (job.is(Statuses.TERMINAL)) {
            context.allowed = same | (back ? Statuses.OWNED : 0);
        } else if (context.attempt > job.attempt) {
            context.allowed = Statuses.OWNED;
        } else if (context.attempt < job.attempt) {
            context.allowed = same;
        } else if (job.is(Statuses.OWNED)) {
            context.allowed = context.pilot.equals(job.owner) ? Statuses.OWNED : same;
        } else if (job.is(Statuses.QUEUED)) {
            boolean starting = context.event instanceof dev.weir.scheduler.Event.ReportArrived arrived
                    && arrived.report() instanceof Status;
            context.allowed = starting ? Statuses.OWNED : Statuses.OWNED | same;
        } else {
            // Lost or failed, and now its pilot speaks again: it may be taken back or told to stop, never both.
            context.allowed = same | Statuses.OWNED | Statuses.PENDING;
        }
    }

    private void ends(Result result, Context context) {
        context.result = result;
        JobTruth job = context.job;
        if (job == null) {
            return;
        }
        int same = Statuses.bit(job.status);
        boolean current = result.attempt() == job.attempt;
        boolean taken = current && job.is(Statuses.OWNED) && !result.pilotId().equals(job.owner);
        if (job.mayFinishAfterAll(result)) {
            boolean sure = job.wasLost(result) && wasOwner(job, result) && !context.unsure && !job.retried;
            context.allowed = Statuses.FINISHED | (sure ? 0 : same);
            return;
        }
        if (job.is(Statuses.TERMINAL) || taken) {
            boolean back = mayBeBack(job, context);
            context.allowed =
                    same | (back ? Statuses.FINISHED | Statuses.PENDING | Statuses.FAILED | Statuses.KILLED : 0);
            context.fails = back && result.status() != Result.Outcome.FINISHED;
            return;
        }
        if (result.status() == Result.Outcome.FINISHED) {
            context.allowed = Statuses.FINISHED
                    | (context.unsure || job.retried || result.attempt() < job.attempt && !wasOwner(job, result)
                            ? same
                            : 0);
            return;
        }
        boolean late = result.attempt() < job.attempt || current && job.is(Statuses.PENDING);
        if (late) {
            context.allowed = same;
            return;
        }
        context.fails = true;
        context.allowed = afterFailure(job, result, context) | (context.unsure ? same : 0);
    }

    /** Failed for good, as far as we know, but a later attempt is reported: we have sent it in a time that is forgotten. */
    private static boolean mayBeBack(JobTruth job, Context context) {
        boolean back = job.is(Statuses.FAILED | Statuses.KILLED) && context.attempt > job.attempt;
        job.retried |= back;
        return back;
    }

    private static boolean wasOwner(JobTruth job, Result result) {
        return result.pilotId().equals(job.ownerOf(result.attempt()));
    }

    /** The states that a job may be in once an attempt of it has failed so. */
    private int afterFailure(JobTruth job, Result result, Context context) {
        TaskTruth task = job.task;
        if (task.cancelled || task.closing || task.broken) {
            return Statuses.CANCELLED | Statuses.FAILED | Statuses.KILLED;
        }
        if (job.retried || job.adopted || context.unsure || job.killOrdered) {
            return Statuses.PENDING | Statuses.FAILED | Statuses.KILLED;
        }
        AttemptOptions options = state.scenario.options().attempts();
        ErrorClass error = errorClass(result);
        boolean over = error != null
                && switch (error) {
                    case PERMANENT -> true;
                    case PAYLOAD -> job.payloadFailures + 1 > task.task.retry();
                    case SYSTEM -> job.systemFailures + 1 > options.systemRetries();
                };
        return over ? Statuses.FAILED | Statuses.KILLED : Statuses.PENDING;
    }

    /** Null when the core itself had it stopped, in a time that it may have forgotten: that uses up nothing. */
    ErrorClass errorClass(Result result) {
        if (result.status() == Result.Outcome.CANCELLED) {
            return null;
        }
        ErrorType type = result.errorType();
        for (ErrorRule rule : state.scenario.options().attempts().errorRules()) {
            if (rule.matches(result.exitCode(), type, result.errorMessage())) {
                return rule.errorClass();
            }
        }
        return ErrorClass.PAYLOAD;
    }
}
