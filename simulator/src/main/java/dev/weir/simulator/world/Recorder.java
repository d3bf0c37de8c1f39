package dev.weir.simulator.world;

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

/** Keeps the effects of one event in their order. */
final class Recorder implements Effects {

    private final List<Effect> effects = new ArrayList<>();

    List<Effect> effects() {
        return effects;
    }

    void clear() {
        effects.clear();
    }

    @Override
    public void job(String pool, Job job) {
        effects.add(new Effect.SendJob(pool, job));
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        effects.add(new Effect.SendNotice(pilotId, notice));
    }

    @Override
    public void register(Registration registration) {
        effects.add(new Effect.Register(registration));
    }

    @Override
    public void event(TaskEvent event) {
        effects.add(new Effect.Announce(event));
    }

    @Override
    public void page(PageRequest request) {
        effects.add(new Effect.AskPage(request));
    }

    @Override
    public void rejected(String reason, String field) {
        effects.add(new Effect.Refuse(null, reason, field));
    }

    @Override
    public void rejectedAfterWaiting(Object message, String reason, String field) {
        effects.add(new Effect.Refuse(message, reason, field));
    }

    @Override
    public void row(Row row) {
        effects.add(new Effect.ShowRow(row));
    }

    @Override
    public void beat(Beat beat) {
        effects.add(new Effect.SendBeat(beat));
    }
}
