package dev.weir.queues;

import dev.weir.engine.Core;
import dev.weir.engine.Engine;
import dev.weir.engine.EngineTables;
import dev.weir.engine.Session;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.api.GroupNumbers;
import dev.weir.queues.api.Ranker;
import dev.weir.queues.api.Seal;
import dev.weir.queues.model.Lane;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.Tables;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranked, bounded, leased queues. Items have a key, a kind, an owner, a priority and limit groups. A pop takes the best item whose groups
 * have room and gives a lease; a worker that is silent for too long loses it.
 *
 * <p>Promised: what was accepted is never pushed out; a key has one live lease; a pop gives no item while a better one of the same kind and
 * owner waits whose groups have room that is not meant for other owners; owners with work get shares by their weights. Not promised: that
 * an item runs only once.
 */
public final class Queues implements Core<Event, Effect> {

    private final QueuesOptions options;
    private final Seal seal;
    private final List<Ranker> rankers;
    private final String start;
    private final Store store;
    private final Engine<Event, Effect> engine;
    /** Not to be used before the first event, nor after one that failed. */
    private QueuesApplication application;

    /**
     * @param seal makes lease tokens that cannot be forged; the same after a restart
     * @param rankers that settings of queues may name, beside the weighted one
     * @param start names this run of Weir, and no other; letters and digits
     * @param store holds what an earlier run left, or nothing. It is read at the first event
     */
    public Queues(QueuesOptions options, Seal seal, List<Ranker> rankers, String start, Store store) {
        this.options = options;
        this.seal = seal;
        this.rankers = List.copyOf(rankers);
        this.start = start;
        this.store = store;
        engine = new Engine<>(store, this::recover);
    }

    /** Every table that the queues use. */
    public static List<Table<?>> tables() {
        List<Table<?>> tables = new ArrayList<>(EngineTables.all());
        tables.addAll(Tables.all());
        return List.copyOf(tables);
    }

    private QueuesApplication recover(Session<Effect> session) {
        application = new QueuesApplication(options, seal, rankers, start, session, store);
        return application;
    }

    @Override
    public List<Effect> apply(Event event, long nowMillis) {
        return event instanceof Event.Tick ? engine.tick(nowMillis) : engine.apply(event, nowMillis);
    }

    @Override
    public long nextDeadlineMillis() {
        return engine.nextDeadlineMillis();
    }

    /** All queues as readers see them; none before the first event. Costs time for each queue, so call it every few seconds. */
    public List<QueueView> views() {
        return isReady() ? application.views() : List.of();
    }

    /** The limit groups of all queues; none before the first event. Costs time for each group that is held. */
    public GroupNumbers groupNumbers() {
        return isReady() ? application.groupNumbers() : GroupNumbers.NONE;
    }

    /** Rankers that fail. */
    @Override
    public List<String> takeProblems() {
        return application == null ? List.of() : application.takeProblems();
    }

    private boolean isReady() {
        return engine.nextDeadlineMillis() != Long.MIN_VALUE;
    }

    /**
     * Checks that memory equals state, and that a memory built from the state would be the same. Costs as much as a restart. Throws
     * {@link IllegalStateException} with what differs.
     */
    public void verify() {
        if (isReady()) {
            Session<Effect> session = new Session<>(store, engine.now());
            Lane rebuilt = new QueuesApplication(options, seal, rankers, start, session, store).lane();
            new Verification(application.lane(), rebuilt).run();
        }
    }
}
