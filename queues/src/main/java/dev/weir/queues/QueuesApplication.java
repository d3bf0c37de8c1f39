package dev.weir.queues;

import dev.weir.engine.Application;
import dev.weir.engine.Refused;
import dev.weir.engine.Session;
import dev.weir.engine.Timer;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Store;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.api.GroupNumbers;
import dev.weir.queues.api.Ranker;
import dev.weir.queues.api.Seal;
import dev.weir.queues.item.Answers;
import dev.weir.queues.item.Bounds;
import dev.weir.queues.item.Ends;
import dev.weir.queues.item.Leases;
import dev.weir.queues.item.Lists;
import dev.weir.queues.item.Peeks;
import dev.weir.queues.item.Pops;
import dev.weir.queues.item.Pushes;
import dev.weir.queues.item.QueueChanges;
import dev.weir.queues.item.Ranks;
import dev.weir.queues.item.Replies;
import dev.weir.queues.item.Rests;
import dev.weir.queues.item.Scores;
import dev.weir.queues.item.Shows;
import dev.weir.queues.item.Wakes;
import dev.weir.queues.model.Ask;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.LiveLease;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.TimerKind;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.Tables;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The queues as the engine runs them: which part takes which entry and which timer, and how an event is settled. */
final class QueuesApplication implements Application<Event> {

    /** In one event, of all queues: no event may take long, and much may be due at one time. */
    private static final int DUE_AT_ONCE = 1_000;

    /** The same for keys that wake, and for items that are ranked: each takes several reads and writes. */
    private static final int KEYS_AT_ONCE = 256;

    private final Lane lane;
    private final Shows shows;
    private final Peeks peeks;
    private final Ends ends;
    private final Pushes pushes;
    private final Leases leases;
    private final Pops pops;
    private final QueueChanges changes;
    private final Wakes wakes;
    private final Answers answers;
    private final Ranks ranks;
    private final Scores scores;
    private final Lists lists;
    private final Timer moreLeases = new Timer(TimerKind.LEASES, this);
    /** What this event may still do of what is due. */
    private int dueLeft = DUE_AT_ONCE;

    private int keysLeft = KEYS_AT_ONCE;
    /** Of what goes on step by step, this event has done a step for one queue. */
    private final Set<TimerKind> stepped = EnumSet.noneOf(TimerKind.class);

    QueuesApplication(
            QueuesOptions options,
            Seal seal,
            List<Ranker> rankers,
            String start,
            Session<Effect> session,
            Store store) {
        lane = new Lane(options, session);
        Bounds bounds = new Bounds(lane);
        Rests rests = new Rests(lane);
        Replies replies = new Replies(lane, rests);
        ranks = new Ranks(lane, rankers);
        shows = new Shows(lane, bounds, rests, replies);
        peeks = new Peeks(lane, rests, shows);
        ends = new Ends(lane, shows, rests, replies, ranks);
        wakes = new Wakes(lane, bounds, rests, ends);
        pushes = new Pushes(lane, bounds, rests, ends);
        answers = new Answers(lane, rests, replies, pushes, ends);
        leases = new Leases(lane, ends, seal, start);
        pops = new Pops(lane, leases, ends);
        changes = new QueueChanges(lane, bounds, ends, rests, wakes, ranks);
        scores = new Scores(lane, rests, ranks, ends, changes);
        lists = new Lists(lane);
        new MemoryBuilder(lane, store, leases).run();
    }

    @Override
    public void handle(Event event) {
        if (event instanceof Event.Requested requested) {
            String gateway = requested.request().gateway();
            for (QueueEntry entry : requested.request().entries()) {
                QueueAnswer answer = answer(gateway, entry, requested.again());
                if (answer != null) {
                    lane.answer(gateway, answer);
                }
            }
        } else if (event instanceof Event.BeatArrived) {
            lane.leaseClock.heard();
            expireLeases();
        }
    }

    /** Null: the answer comes later. */
    private QueueAnswer answer(String gateway, QueueEntry entry, boolean again) {
        if (entry instanceof QueueEntry.Push push) {
            return in(push.queue(), entry, queue -> pushes.push(queue, push, again));
        } else if (entry instanceof QueueEntry.Pop pop) {
            return in(pop.queue(), entry, queue -> pops.pop(gateway, queue, pop));
        } else if (entry instanceof QueueEntry.Done done) {
            return leases.done(done);
        } else if (entry instanceof QueueEntry.Extend extend) {
            return leases.extend(extend);
        } else if (entry instanceof QueueEntry.Hold hold) {
            return leases.hold(hold);
        } else if (entry instanceof QueueEntry.Show show) {
            return in(show.queue(), entry, queue -> shows.show(gateway, queue, show));
        } else if (entry instanceof QueueEntry.Peek peek) {
            return in(peek.queue(), entry, queue -> QueueAnswer.shown(peek.n(), peeks.peek(queue, peek)));
        } else if (entry instanceof QueueEntry.Remove remove) {
            return in(remove.queue(), entry, queue -> changes.remove(queue, remove));
        } else if (entry instanceof QueueEntry.Redrive redrive) {
            return in(redrive.queue(), entry, queue -> changes.redrive(queue, redrive));
        } else if (entry instanceof QueueEntry.Configure configure) {
            return changes.configure(configure);
        } else if (entry instanceof QueueEntry.QueueAction action) {
            return in(action.queue(), entry, queue -> changes.act(queue, action));
        } else if (entry instanceof QueueEntry.SetOwner owner) {
            return in(owner.queue(), entry, queue -> changes.setOwner(queue, owner));
        } else if (entry instanceof QueueEntry.SetLimit limit) {
            return changes.setLimit(limit);
        } else if (entry instanceof QueueEntry.Answer ask) {
            return in(ask.queue(), entry, queue -> answers.answer(gateway, queue, ask));
        } else if (entry instanceof QueueEntry.Score score) {
            return in(score.queue(), entry, queue -> scores.score(queue, score));
        } else if (entry instanceof QueueEntry.ListOwners owners) {
            return in(owners.queue(), entry, queue -> lists.owners(owners.n(), queue));
        } else if (entry instanceof QueueEntry.ListGroups groups) {
            return lists.groups(groups.n());
        }
        return overview((QueueEntry.Overview) entry);
    }

    private QueueAnswer in(String name, QueueEntry entry, Function<Queue, QueueAnswer> then) {
        Queue queue = lane.queues.get(name);
        return queue == null || queue.record.deleted
                ? QueueAnswer.of(entry.n(), Status.UNKNOWN, "there is no queue " + name)
                : then.apply(queue);
    }

    private QueueAnswer overview(QueueEntry.Overview overview) {
        if (overview.queue() != null) {
            return in(
                    overview.queue(), overview, queue -> QueueAnswer.queues(overview.n(), List.of(shows.view(queue))));
        }
        return QueueAnswer.queues(overview.n(), views());
    }

    List<QueueView> views() {
        return lane.queues.values().stream()
                .filter(queue -> !queue.record.deleted)
                .map(shows::view)
                .toList();
    }

    GroupNumbers groupNumbers() {
        return lists.numbers();
    }

    private void expireLeases() {
        for (int i = 0; i < DUE_AT_ONCE; i++) {
            Timer expired = lane.leaseClock.pollExpired();
            if (expired == null) {
                return;
            }
            ends.lost((LiveLease) expired.subject());
        }
        lane.timers.set(moreLeases, lane.now());
    }

    @Override
    public void fire(Timer timer) {
        switch ((TimerKind) timer.kind()) {
            case BEAT -> lane.leaseClock.beat();
            case LEASE -> ends.lost((LiveLease) timer.subject());
            case LEASES -> expireLeases();
            case QUEUE -> due((Queue) timer.subject());
            case PURGE, RANK -> step((TimerKind) timer.kind(), timer);
            case ASK -> giveUp((Ask) timer.subject());
        }
    }

    private void due(Queue queue) {
        if (queue.record.deleted) {
            // What woke now would outlive its queue.
            return;
        }
        if (dueLeft == 0 || keysLeft == 0) {
            lane.timers.set(queue.timer, lane.now());
            return;
        }
        dueLeft -= ends.due(queue, dueLeft);
        keysLeft -= wakes.due(queue, keysLeft);
        // Set again when the event ends, behind those of queues that have had no turn.
        lane.timers.clear(queue.timer);
    }

    private void step(TimerKind kind, Timer timer) {
        Queue queue = (Queue) timer.subject();
        if (!stepped.add(kind)) {
            lane.timers.set(timer, lane.now());
        } else if (kind == TimerKind.PURGE) {
            changes.purgeStep(queue);
        } else {
            ranks.step(queue, KEYS_AT_ONCE, ends);
        }
    }

    private void giveUp(Ask ask) {
        if (ask.entry instanceof QueueEntry.Pop) {
            pops.giveUp(ask);
        } else if (ask.entry instanceof QueueEntry.Answer) {
            answers.giveUp(ask);
        } else {
            shows.giveUp(ask);
        }
    }

    @Override
    public void refuse(Refused refused) {
        throw refused;
    }

    /** All queues share one memory: nothing can be set aside. */
    @Override
    public String suspect() {
        return null;
    }

    @Override
    public boolean setAside(String suspect, String reason) {
        return false;
    }

    @Override
    public void settle() {
        lane.groups.tick(lane.now());
        lane.giveUpSilent();
        pops.releaseGrants();
        while (!lane.agenda.isEmpty()) {
            List<Queue> queues = new ArrayList<>(lane.agenda);
            lane.agenda.clear();
            queues.forEach(queue -> {
                if (!queue.pops.isEmpty()) {
                    pops.serve(queue);
                }
            });
            pops.releaseGrants();
        }
        pops.settled();
        dueLeft = DUE_AT_ONCE;
        keysLeft = KEYS_AT_ONCE;
        stepped.clear();
        lane.groups.drainChanged(this::write);
    }

    private void write(String key, GroupRecord group) {
        if (group == null) {
            lane.work.remove(Tables.GROUP, key);
        } else {
            lane.work.put(Tables.GROUP, key, group);
        }
    }

    /** Readers ask for what they want to see. The program that fills a queue hears when it runs low. */
    @Override
    public void project() {
        for (Queue queue : List.copyOf(lane.touched)) {
            Integer mark = queue.settings().low();
            long items = queue.waiting() + queue.later();
            boolean low = mark != null && !queue.record.deleted && items < mark;
            if (low != queue.record.low) {
                queue.record.low = low;
                lane.changed(queue);
                if (low) {
                    lane.announceLow(queue, items);
                }
            }
            if (!queue.record.deleted) {
                // What was due and did not fit in may do so now; what was too much for this event goes on in the next.
                lane.watch(queue);
            }
        }
        lane.touched.clear();
    }

    @Override
    public long nextDeadlineMillis() {
        return Math.min(lane.timers.nextAt(), lane.groups.nextDeadlineMillis());
    }

    List<String> takeProblems() {
        return ranks.takeProblems();
    }

    Lane lane() {
        return lane;
    }
}
