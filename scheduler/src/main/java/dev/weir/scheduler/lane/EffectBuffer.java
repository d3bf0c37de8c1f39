package dev.weir.scheduler.lane;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;
import dev.weir.scheduler.Effects;
import java.util.ArrayList;
import java.util.List;

/** Keeps effects back until the event has succeeded. */
final class EffectBuffer implements Effects {

    private record ForPool(String pool, Job job) {}

    private record ForPilot(String pilotId, Notice notice) {}

    /** Of the event at hand, or of an earlier message when there is one. */
    private record Refusal(Object message, String reason, String field) {}

    private final List<Object> effects = new ArrayList<>();

    void flushTo(Effects out) {
        for (Object effect : effects) {
            if (effect instanceof Row row) {
                out.row(row);
            } else if (effect instanceof ForPool job) {
                out.job(job.pool, job.job);
            } else if (effect instanceof Registration registration) {
                out.register(registration);
            } else if (effect instanceof ForPilot notice) {
                out.notice(notice.pilotId, notice.notice);
            } else if (effect instanceof TaskEvent event) {
                out.event(event);
            } else if (effect instanceof PageRequest request) {
                out.page(request);
            } else if (effect instanceof Beat beat) {
                out.beat(beat);
            } else if (effect instanceof Refusal refusal) {
                tell(refusal, out);
            }
        }
        effects.clear();
    }

    private static void tell(Refusal refusal, Effects out) {
        if (refusal.message == null) {
            out.rejected(refusal.reason, refusal.field);
        } else {
            out.rejectedAfterWaiting(refusal.message, refusal.reason, refusal.field);
        }
    }

    void discard() {
        effects.clear();
    }

    @Override
    public void job(String pool, Job job) {
        effects.add(new ForPool(pool, job));
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        effects.add(new ForPilot(pilotId, notice));
    }

    @Override
    public void register(Registration registration) {
        effects.add(registration);
    }

    @Override
    public void event(TaskEvent event) {
        effects.add(event);
    }

    @Override
    public void page(PageRequest request) {
        effects.add(request);
    }

    @Override
    public void rejected(String reason, String field) {
        effects.add(new Refusal(null, reason, field));
    }

    @Override
    public void rejectedAfterWaiting(Object message, String reason, String field) {
        effects.add(new Refusal(message, reason, field));
    }

    @Override
    public void row(Row row) {
        effects.add(row);
    }

    @Override
    public void beat(Beat beat) {
        effects.add(beat);
    }
}
