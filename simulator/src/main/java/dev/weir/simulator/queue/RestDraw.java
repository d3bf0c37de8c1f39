package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Score;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.protocol.queue.Rank;
import dev.weir.simulator.scenario.Rand;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What gateways and workers say beyond the one run of an item: next runs, answers and facts. Most worlds have little of it, so that they stay quick. */
final class RestDraw {

    private static final List<String> FACTS = List.of("risk", "age");

    private final Rand rand;
    private final Rand unseen;
    private final Rand taken;
    /** Whether facts are taken away here. */
    private final boolean takes;

    private final boolean recurs;
    private final boolean asks;
    private final boolean ranks;

    RestDraw(long seed) {
        rand = Rand.of(seed, "dates");
        unseen = Rand.of(seed, "unseen");
        taken = Rand.of(seed, "taken");
        takes = taken.chance(0.3);
        recurs = rand.chance(0.35);
        asks = rand.chance(0.35);
        ranks = Rand.of(seed, "ranks").chance(0.2);
    }

    boolean asks() {
        return asks;
    }

    /** How long time passes in a step, in milliseconds: due lists have minutes. */
    int passing(int millis) {
        return recurs && rand.chance(0.3) ? rand.between(1, 90_000) : millis;
    }

    QueueSettings settings(QueueSettings of) {
        if (!recurs && !asks && !ranks) {
            return of;
        }
        return with(
                of,
                rand.chance(0.3) ? rand.between(0, 8) : null,
                rand.chance(0.3) ? rand.between(0, 30) : 0,
                asks ? rand.oneOf(0, 0, 5, 40) : 0,
                asks ? rand.oneOf(0, 0, 20) : 0,
                rand.between(0, 20),
                asks ? rand.oneOf(Refresh.values()) : null,
                ranks && rand.chance(0.8) ? new Rank(null, facts()) : null);
    }

    /** Few names, so that they meet; whole numbers. */
    private Map<String, Double> facts() {
        Map<String, Double> facts = new HashMap<>();
        for (String name : FACTS) {
            if (rand.chance(0.6)) {
                facts.put(name, (double) rand.between(-2, 2));
            }
        }
        return facts;
    }

    boolean ranks() {
        return ranks;
    }

    Score score(long n, Push about) {
        boolean ofOwner = rand.chance(0.4);
        Map<String, Double> facts = new HashMap<>(facts());
        facts.put(FACTS.get(0), (double) rand.between(-2, 2));
        if (takes && taken.chance(0.4)) {
            facts.replaceAll((name, fact) -> null);
        }
        return new Score(
                n,
                about.queue(),
                ofOwner ? null : about.item().key(),
                ofOwner ? about.item().owner() : null,
                facts);
    }

    /** The same without results that are kept, so that nothing runs by itself. */
    static QueueSettings withoutAnswers(QueueSettings of) {
        return with(of, of.maxResting(), 0, 0, 0, 0, null, of.rank());
    }

    private static QueueSettings with(
            QueueSettings of,
            Integer maxResting,
            int graceS,
            int freshS,
            int staleS,
            int recheckS,
            Refresh refresh,
            Rank rank) {
        return new QueueSettings(
                of.maxItems(),
                of.maxBytes(),
                of.maxItemsPerOwner(),
                of.reserve(),
                of.leaseS(),
                of.maxLeaseS(),
                of.attempts(),
                of.lostLeases(),
                of.releases(),
                of.backOffS(),
                of.maxBackOffS(),
                of.maxDead(),
                of.deadS(),
                of.low(),
                maxResting,
                graceS,
                freshS,
                staleS,
                recheckS,
                refresh,
                rank);
    }

    Push push(Push push) {
        Again rule = recurs && rand.chance(0.35) ? rule() : null;
        return rule == null && !ranks
                ? push
                : new Push(push.n(), push.queue(), with(push.item(), rule, ranks ? facts() : Map.of()));
    }

    private static Item with(Item item, Again again, Map<String, Double> facts) {
        return new Item(
                item.key(),
                item.kind(),
                item.owner(),
                item.priority(),
                item.payload(),
                item.groups(),
                item.notBefore(),
                item.expiresAt(),
                again,
                facts,
                item.ifPresent());
    }

    private Again rule() {
        Integer jitter = rand.chance(0.3) ? rand.between(0, 60) : null;
        return switch (rand.between(0, 9)) {
            case 0, 1, 2 -> new Again(rand.between(1, 90), null, null, null, null, null, jitter);
            case 3, 4, 5 -> new Again(null, rand.between(1, 90), null, null, null, null, jitter);
            case 6, 7 -> new Again(20, null, null, null, rand.between(1, 20), rand.between(20, 40), jitter);
            case 8 ->
                new Again(null, null, "*/2 * * * *", rand.chance(0.5) ? "Asia/Kolkata" : null, null, null, jitter);
            default -> Again.NEVER;
        };
    }

    /** That a key does not run again. */
    static Push never(long n, String queue, NaiveItem item) {
        return new Push(
                n,
                queue,
                with(
                        new Item(
                                item.key, item.kind(), null, null, null, null, null, null, null, null, IfPresent.RAISE),
                        Again.NEVER,
                        Map.of()));
    }

    Answer ask(long n, Push push) {
        Item item = with(push.item(), null, ranks ? facts() : Map.of());
        return new Answer(
                n,
                push.queue(),
                item,
                rand.chance(0.85),
                rand.chance(0.3) ? (long) rand.between(0, 30_000) : null,
                rand.chance(0.3) ? (long) rand.between(0, 20_000) : null,
                rand.chance(0.3) ? 0 : rand.between(1, 5_000));
    }

    Done done(long n, String token, End end, Boolean retry, long now) {
        boolean speaks = end == End.FINISHED && (recurs || asks);
        if (!speaks) {
            Boolean reachedNone = end == End.RELEASED && unseen.chance(0.4) ? unseen.chance(0.9) : null;
            return new Done(n, token, end, null, null, retry, null, null, null, null, reachedNone);
        }
        return new Done(
                n,
                token,
                end,
                rand.chance(0.8) ? new Payload(Integer.toString(rand.between(0, 1))) : null,
                null,
                retry,
                asks && rand.chance(0.3) ? rand.between(0, 60) : null,
                asks && rand.chance(0.3) ? rand.between(0, 60) : null,
                rand.chance(0.1) ? "d" + rand.between(0, 1) : null,
                recurs && rand.chance(0.1) ? Instant.ofEpochMilli(now + rand.between(-20_000, 90_000)) : null);
    }
}
