package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.ListOwners;
import dev.weir.protocol.queue.QueueEntry.Score;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.Rank;
import dev.weir.queues.api.Ranker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Priorities follow from facts. */
class RankTest {

    private final Lab lab = new Lab().queue(ranked(Map.of("level", 100.0, "findings", 1.0)));

    private static QueueSettings ranked(Map<String, Double> weights) {
        return ranked(weights == null ? null : new Rank(null, weights));
    }

    private static QueueSettings ranked(Rank rank) {
        return new QueueSettings(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, rank);
    }

    private void push(String key, String owner, int given, Map<String, Double> facts) {
        lab.push(new Item(key, null, owner, given, null, null, null, null, null, facts, null));
    }

    private Status score(String key, String owner, Map<String, Double> facts) {
        return lab.ask(new Score(lab.next(), Lab.QUEUE, key, owner, facts)).status();
    }

    private int priority(String key) {
        return lab.show(key).priority();
    }

    @Test
    void aPriorityIsTheGivenOneLessTheWeightedFacts() {
        push("a", null, 1_000, Map.of("level", 2.0, "findings", 30.0, "unknown", 1e9));
        push("best", null, 1_000, Map.of("level", 1e12));
        push("worst", null, 1_000, Map.of("level", -1e12));
        push("urgent", null, 1, Map.of("level", -5.0));

        assertThat(priority("a")).isEqualTo(770);
        assertThat(priority("best")).isEqualTo(2);
        assertThat(priority("worst")).isEqualTo(1_000_000);
        assertThat(lab.keys(4)).containsExactly("urgent", "best", "a", "worst");
    }

    @Test
    void aScoreOfAKeyMovesIt() {
        push("a", null, 1_000, Map.of());
        push("b", null, 1_000, Map.of());
        assertThat(score("b", null, Map.of("findings", 1.0))).isEqualTo(Status.OK);
        assertThat(score("none", null, Map.of("findings", 1.0))).isEqualTo(Status.UNKNOWN);

        assertThat(lab.keys(2)).containsExactly("b", "a");
    }

    @Test
    void aScoreOfAnOwnerMovesAllItsItemsAlsoAfterARestartInBetween() {
        for (int i = 0; i < 700; i++) {
            push("k" + i, "club", 1_000, i == 699 ? Map.of("level", 9.0) : Map.of());
        }
        lab.steps = false;
        assertThat(score(null, "club", Map.of("level", 5.0))).isEqualTo(Status.OK);
        push("new", "club", 1_000, Map.of());
        assertThat(priority("new")).isEqualTo(500);
        assertThat(priority("k0")).isEqualTo(1_000);

        lab.steps = true;
        lab.restart(lab.store);
        lab.pass(4);
        List<Integer> priorities = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            priorities.add(priority("k" + i));
        }
        assertThat(priorities.subList(0, 699)).containsOnly(500);
        assertThat(priorities.get(699)).isEqualTo(100);
    }

    @Test
    void aScoreTakesFactsAwayAndAnOwnerWithoutAnyIsForgotten() {
        push("a", "club", 1_000, Map.of("level", 1.0));
        score(null, "club", Map.of("level", 2.0, "findings", 5.0));
        score("a", null, Collections.singletonMap("level", null));
        assertThat(priority("a")).isEqualTo(795);

        score(null, "club", Collections.singletonMap("level", null));
        assertThat(priority("a")).isEqualTo(995);
        score(null, "club", Collections.singletonMap("findings", null));
        assertThat(priority("a")).isEqualTo(1_000);
        lab.keys(1);
        assertThat(lab.ask(new ListOwners(lab.next(), Lab.QUEUE)).owners()).isEmpty();
    }

    @Test
    void otherWeightsMoveAllItems() {
        push("a", null, 1_000, Map.of("level", 1.0));
        lab.queue(ranked(Map.of("level", 10.0)));
        lab.pass(1);
        assertThat(priority("a")).isEqualTo(990);

        lab.queue(ranked((Rank) null));
        lab.pass(1);
        assertThat(priority("a")).isEqualTo(1_000);
    }

    @Test
    void aRankerThatIsNotThereIsRefusedAndNamed() {
        QueueAnswer answer = lab.ask(new Configure(lab.next(), Lab.QUEUE, ranked(new Rank("magic", Map.of()))));

        assertThat(answer.field()).isEqualTo("rank.ranker");
        assertThat(answer.reason()).contains("there are weighted");
    }

    /** As one from a jar beside the job: reverses the given order, and can't do with negative facts. */
    private static final class Reversing implements Ranker {

        @Override
        public String name() {
            return "reversing";
        }

        @Override
        public long priority(int given, Map<String, Double> facts, Map<String, Double> weights) {
            if (facts.getOrDefault("level", 0.0) < 0) {
                throw new IllegalArgumentException("a level below 0");
            }
            if (facts.containsKey("other")) {
                throw new NoClassDefFoundError("a class of another version");
            }
            return 1_000 - given;
        }
    }

    @Test
    void aRankerOfAJarDecides() {
        Lab reversed = new Lab().with(new Reversing()).queue(ranked(new Rank("reversing", Map.of())));
        reversed.push(reversed.item("a", 10));
        reversed.push(reversed.item("b", 20));

        assertThat(reversed.show("a").priority()).isEqualTo(990);
        assertThat(reversed.keys(2)).containsExactly("b", "a");
    }

    @Test
    void whereARankerFailsAnItemKeepsItsPriorityAndTheOperatorHearsOnce() {
        Lab failing = new Lab().with(new Reversing()).queue(ranked(new Rank("reversing", Map.of())));
        for (String key : List.of("a", "b")) {
            assertThat(failing.push(new Item(
                                    key, null, null, 10, null, null, null, null, null, Map.of("level", -1.0), null))
                            .status())
                    .isEqualTo(Status.CREATED);
            assertThat(failing.show(key).priority()).isEqualTo(10);
        }
        assertThat(failing.queues.takeProblems())
                .singleElement()
                .asString()
                .contains("Ranker reversing of queue scans fails with", "a level below 0");
    }

    @Test
    void aRankerWhoseClassesAreNotThereStopsNoQueue() {
        Lab failing = new Lab().with(new Reversing()).queue(ranked(new Rank("reversing", Map.of())));
        failing.push(new Item("a", null, null, 10, null, null, null, null, null, Map.of("other", 1.0), null));

        assertThat(failing.show("a").priority()).isEqualTo(10);
    }

    @Test
    void whatRunsAfterALeasedItemHasNoMoreFactsEither() {
        Map<String, Double> facts = new HashMap<>();
        for (int i = 0; i < 16; i++) {
            facts.put("f" + i, 1.0);
        }
        push("a", null, 1_000, Map.of());
        lab.pop();
        lab.push(new Item("a", null, null, 10, null, null, null, null, null, facts, Item.IfPresent.REPLACE));

        assertThat(score("a", null, Map.of("f17", 1.0))).isEqualTo(Status.REFUSED);
        assertThat(score("a", null, Map.of("f1", 2.0))).isEqualTo(Status.OK);
    }

    @Test
    void aKeyHasNoMoreFactsThanAnItemMayHave() {
        Map<String, Double> facts = new HashMap<>();
        for (int i = 0; i < 16; i++) {
            facts.put("f" + i, 1.0);
        }
        push("a", null, 1_000, facts);

        assertThat(score("a", null, Map.of("f17", 1.0))).isEqualTo(Status.REFUSED);
        assertThat(score("a", null, Map.of("f1", 2.0))).isEqualTo(Status.OK);
    }
}
