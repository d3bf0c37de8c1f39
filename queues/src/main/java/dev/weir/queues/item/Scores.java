package dev.weir.queues.item;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Score;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Owner;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.RestRecord;
import java.util.Map;

/** Facts come for keys and owners. */
public final class Scores {

    private final Lane lane;
    private final Rests rests;
    private final Ranks ranks;
    private final Ends ends;
    private final QueueChanges changes;

    public Scores(Lane lane, Rests rests, Ranks ranks, Ends ends, QueueChanges changes) {
        this.lane = lane;
        this.rests = rests;
        this.ranks = ranks;
        this.ends = ends;
        this.changes = changes;
    }

    public QueueAnswer score(Queue queue, Score score) {
        return score.key() == null ? ofOwner(queue, score) : ofKey(queue, score);
    }

    private QueueAnswer ofOwner(Queue queue, Score score) {
        Owner owner = queue.owner(score.owner());
        Map<String, Double> facts = merged(owner == null ? Map.of() : owner.facts(), score.facts());
        if (facts == null) {
            return tooMany(score);
        }
        QueueAnswer answer = changes.setOwner(
                score.n(),
                queue,
                score.owner(),
                owner == null ? 1 : owner.weight(),
                owner == null ? null : owner.maxItems(),
                facts);
        if (answer.status() == Status.OK && queue.owner(score.owner()) != null) {
            ranks.rankAll(queue, queue.owner(score.owner()));
        }
        return answer;
    }

    private QueueAnswer ofKey(Queue queue, Score score) {
        ItemRecord item = lane.item(queue, score.key());
        RestRecord rest = rests.find(queue, score.key());
        if (item == null && rest == null) {
            return QueueAnswer.of(score.n(), Status.UNKNOWN, "queue " + queue.name() + " has no such key");
        }
        boolean hasNext = item != null && item.successor != null;
        if (merged(item == null ? rest.content.facts() : item.content.facts(), score.facts()) == null
                || hasNext && merged(item.successor.facts(), score.facts()) == null) {
            return tooMany(score);
        }
        if (item != null) {
            ends.learn(queue, item, score.facts());
        }
        if (rest != null && merged(rest.content.facts(), score.facts()) != null) {
            rest.content = rest.content.facts(score.facts());
            rests.save(queue, rest);
        }
        return QueueAnswer.of(score.n(), Status.OK);
    }

    /** Null when they are too many. */
    private static Map<String, Double> merged(Map<String, Double> facts, Map<String, Double> changes) {
        Map<String, Double> all = Content.changed(facts, changes);
        return all.size() > QueueLimits.MAX_FACTS ? null : all;
    }

    private static QueueAnswer tooMany(Score score) {
        return QueueAnswer.refused(
                score.n(), "facts", "with these facts there would be more than " + QueueLimits.MAX_FACTS);
    }
}
