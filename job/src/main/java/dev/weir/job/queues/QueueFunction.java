package dev.weir.job.queues;

import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.job.intake.Rejections;
import dev.weir.job.lane.LaneFunction;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueMessage;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.api.GroupNumbers;
import dev.weir.queues.api.Ranker;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.util.Collector;

/**
 * The shell around the core of the queues. Answers are its main output, {@link QueueEffects} has the others.
 *
 * <p>The secret of its lease tokens is part of the state: a token outlives a restart, and dies with the state that knew its lease.
 */
public final class QueueFunction extends LaneFunction<Event, Effect, Queues, Outbound> {

    private final Configuration configuration;

    private transient ListState<byte[]> secretInState;
    private transient byte[] secret;
    private transient QueueEffects effects;
    private transient QueueMetrics metrics;

    /** The configuration should hold no secrets: it is part of the job graph. */
    public QueueFunction(Configuration configuration) {
        super("the core of the queues", 1);
        this.configuration = configuration;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        super.initializeState(context);
        secretInState = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("secret", BytePrimitiveArraySerializer.INSTANCE));
        for (byte[] stored : secretInState.get()) {
            secret = stored;
        }
        secret = secret == null ? HmacSeal.newSecret() : secret;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        super.snapshotState(context);
        secretInState.update(List.of(secret));
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        effects = new QueueEffects(
                configuration.get(AmqpOptions.ANSWERS),
                configuration.get(AmqpOptions.DONE),
                configuration.get(AmqpOptions.EVENTS),
                new Rejections(configuration.get(AmqpOptions.REJECTED)));
        metrics = new QueueMetrics(getRuntimeContext().getMetricGroup(), this::views, this::groups);
    }

    private List<QueueView> views() {
        return cores().stream().flatMap(core -> core.views().stream()).toList();
    }

    private GroupNumbers groups() {
        return cores().stream().map(Queues::groupNumbers).reduce(GroupNumbers.NONE, GroupNumbers::plus);
    }

    @Override
    protected Collection<Table<?>> tables() {
        return Queues.tables();
    }

    @Override
    protected Queues core(int lane, Store store) {
        String start = UUID.randomUUID().toString().replace("-", "");
        return new Queues(QueueOptions.core(configuration), new HmacSeal(secret), rankers(), start, store);
    }

    /** Of the jars beside the job. */
    private List<Ranker> rankers() {
        ClassLoader jars = getRuntimeContext().getUserCodeClassLoader();
        return ServiceLoader.load(Ranker.class, jars).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    @Override
    protected Event event(Inbound message) {
        QueueMessage read = Json.readKept(message.body(), QueueMessage.class);
        if (read instanceof QueueBeat beat) {
            return new Event.BeatArrived(beat);
        }
        return switch (message.kind()) {
            case QUEUE_REQUEST -> new Event.Requested((QueueRequest) read, false);
            case QUEUE_REQUEST_AGAIN -> new Event.Requested((QueueRequest) read, true);
            default -> throw new InvalidMessage(null, message.kind() + " never comes to the queues");
        };
    }

    @Override
    protected Event tick() {
        return new Event.Tick();
    }

    @Override
    protected void begin(Context context, Collector<Outbound> out, Inbound cause) {
        effects.of(context, out, cause);
    }

    @Override
    protected void rejected(String reason, String field) {
        effects.rejected(reason, field);
    }

    @Override
    protected void applied(int lane, Queues core, Event event, List<Effect> decided, long nowMillis) {
        effects.send(decided);
        metrics.refresh(nowMillis);
    }
}
