package dev.weir.simulator;

import java.util.List;
import java.util.stream.Stream;

/** Deliberate bugs in what outlives the items of keys: next runs, answers and ranks. For {@link MutantTest}. */
final class QueueRestMutants {

    private QueueRestMutants() {}

    static List<Mutant> all() {
        return Stream.of(runs(), answers(), ranks()).flatMap(List::stream).toList();
    }

    private static List<Mutant> runs() {
        return List.of(
                new Mutant(
                        "a key runs again a second early",
                        "queues/item/Dates.java",
                        "return now + (again.adapts() ? pauseS : again.afterS()) * SECOND;",
                        "return now + (again.adapts() ? pauseS : again.afterS()) * SECOND - SECOND;"),
                new Mutant(
                        "missed dates are all made up for",
                        "queues/item/Dates.java",
                        "Math.max(1, Math.floorDiv(now - base, step) + 1) * step",
                        "step"),
                new Mutant(
                        "a date of cron comes twice",
                        "queues/item/Dates.java",
                        "Math.max(base, now)",
                        "Math.min(base, now)"),
                new Mutant(
                        "a jitter is longer than it may be",
                        "queues/item/Dates.java",
                        "again.jitterS() * SECOND + 1)",
                        "2 * again.jitterS() * SECOND + 1)"),
                new Mutant(
                        "a pause grows after another result",
                        "queues/item/Dates.java",
                        "pause = isOther ? pause / 2 : pause * 2;",
                        "pause = isOther ? pause * 2 : pause / 2;"),
                new Mutant(
                        "a pause has no upper end",
                        "queues/item/Dates.java",
                        "Math.max(again.minS(), Math.min(again.maxS(), pause))",
                        "Math.max(again.minS(), pause)"),
                new Mutant(
                        "a dead key does not run again",
                        "queues/item/Ends.java",
                        "        rests.died(queue, item);\n",
                        ""),
                new Mutant(
                        "the date that a worker names is not heard",
                        "queues/item/Rests.java",
                        "rest.base = named > 0 ? named : ranBefore",
                        "rest.base = ranBefore"),
                new Mutant(
                        "a run before its date takes the place of the one at its date",
                        "queues/item/Rests.java",
                        "date <= dates.next(again, now, now, rest.pauseS)",
                        "date < now"),
                new Mutant(
                        "a date that was counted while the clock was wrong holds up a rule",
                        "queues/item/Rests.java",
                        " && date <= dates.next(again, now, now, rest.pauseS)",
                        ""),
                new Mutant(
                        "a push during a run moves the dates of its key",
                        "queues/item/Ends.java",
                        "goesOn ? new Before(Rests.dateOf(item), item.pauseS",
                        "goesOn ? new Before(0, item.pauseS"),
                new Mutant(
                        "who has a key run before its first date moves its dates",
                        "queues/item/Ends.java",
                        "item.base = item.content.recurs() ? Rests.dateOf(item) : item.base;",
                        ""),
                new Mutant(
                        "another rule waits for the date of the one before",
                        "queues/item/Pushes.java",
                        "            present.base = 0;\n",
                        ""),
                new Mutant(
                        "what has expired comes back from the dead",
                        "queues/item/QueueChanges.java",
                        "ends.hasExpired(item)",
                        "item.number < 0"),
                new Mutant(
                        "an expired key runs again",
                        "queues/item/Rests.java",
                        "rest.due = expiresAt > 0 && due >= expiresAt ? 0 : due;",
                        "rest.due = due;"),
                new Mutant(
                        "more keys rest than may",
                        "queues/item/Rests.java",
                        "queue.record.resting + queue.recurring() < queue",
                        "queue.record.resting < queue"),
                new Mutant(
                        "keys that run again and are leased have no place to rest",
                        "queues/model/Queue.java",
                        "recurring += lease.recurs ? 1 : 0;",
                        "recurring += 0;"),
                new Mutant(
                        "a removed key runs at its next date",
                        "queues/item/Rests.java",
                        "    void remove(Queue queue, RestRecord rest) {\n        rest.due = 0;\n",
                        "    void remove(Queue queue, RestRecord rest) {\n"),
                new Mutant(
                        "a key that was pushed also runs at its date",
                        "queues/item/Rests.java",
                        "    void working(Queue queue, RestRecord rest) {\n        rest.due = 0;\n",
                        "    void working(Queue queue, RestRecord rest) {\n"),
                new Mutant(
                        "a key forgets its rule when it is pushed without one",
                        "queues/item/Pushes.java",
                        "Content ruled = content.again() == null && rest.due > 0 ? content.again(rest.content.again()) : content;",
                        "Content ruled = content;"),
                new Mutant(
                        "a grace is not kept",
                        "queues/item/Pushes.java",
                        "return ruled.notBefore(Math.max(ruled.notBefore(), rest.graceUntil));",
                        "return ruled;"),
                new Mutant(
                        "a replaced item does not keep its grace",
                        "queues/item/Pushes.java",
                        "Math.max(content.notBefore(), rests.graceUntil(queue, present.key))",
                        "content.notBefore()"),
                new Mutant(
                        "a date of a key does not keep its grace",
                        "queues/item/Rests.java",
                        "Math.max(date, rest.graceUntil)",
                        "date"),
                new Mutant(
                        "a due key passes the bound of its queue",
                        "queues/item/Wakes.java",
                        "if (bounds.ofQueue(queue, content, rest.key, present) != null) {",
                        "if (rest.due < 0) {"),
                new Mutant(
                        "a due key waits until its owner has fewer items",
                        "queues/item/Wakes.java",
                        "bounds.ofOwners(queue, content)",
                        "bounds.ofOwner(queue, content, 1)"),
                new Mutant(
                        "a due key that does not fit in is forgotten",
                        "queues/item/Wakes.java",
                        "                queue.blockDues(lane.now() + PUT_OFF_MILLIS);\n                break;\n",
                        ""),
                new Mutant(
                        "a due key starts at the begin of its minute",
                        "queues/item/Wakes.java",
                        "content.notBefore(rest.due > lane.now() ? rest.due : 0)",
                        "content.notBefore(0)"),
                new Mutant(
                        "a key whose date has moved does not run",
                        "queues/item/Rests.java",
                        "            rest.dueListed = 0;\n            listDue(queue, rest);\n",
                        ""),
                new Mutant(
                        "a key whose next date is earlier than the one before runs at that one",
                        "queues/item/Rests.java",
                        " || rest.due < rest.dueListed",
                        ""),
                new Mutant(
                        "a due list is lost in a restart",
                        "queues/model/Queue.java",
                        "        dueLists.put(list.order(), list);\n",
                        ""),
                new Mutant(
                        "a place to rest is never free again",
                        "queues/item/Rests.java",
                        "queue.record.resting += was ? -1 : 1;",
                        "queue.record.resting += was ? 0 : 1;"));
    }

    private static List<Mutant> answers() {
        return List.of(
                new Mutant(
                        "an answer is fresh for ever",
                        "queues/state/RestRecord.java",
                        "answeredAt <= nowMillis && nowMillis < freshUntil;",
                        "answeredAt <= nowMillis;"),
                new Mutant(
                        "what is kept of a key whose answer was renewed stays for ever",
                        "queues/item/Rests.java",
                        "            rest.endListed = 0;\n            listEnd(queue, rest);\n",
                        ""),
                new Mutant(
                        "an answer is older than was asked for",
                        "queues/item/Replies.java",
                        "return ask.maxAgeMs() == null || age",
                        "return ask.maxAgeMs() != null || age"),
                new Mutant(
                        "a stale answer is given for too long",
                        "queues/item/Replies.java",
                        "rest.result != null && lane.now() < rest.staleUntil;\n        if",
                        "rest.result != null;\n        if"),
                new Mutant(
                        "a stale answer is given to one who wants none so old",
                        "queues/item/Replies.java",
                        "lane.now() - rest.freshUntil <= ask.staleMs()",
                        "rest.freshUntil >= 0"),
                new Mutant(
                        "a failed look-up is repeated at once",
                        "queues/item/Rests.java",
                        "lane.now() < dead.at + queue.settings().recheckS() * SECOND",
                        "lane.now() < dead.at"),
                new Mutant(
                        "who only looks starts work",
                        "queues/item/Answers.java",
                        "} else if (ask.start()) {",
                        "} else if (ask.n() >= 0) {"),
                new Mutant(
                        "who only looks has an item go before others",
                        "queues/item/Answers.java",
                        "if (waits && ask.start()) {",
                        "if (waits) {"),
                new Mutant(
                        "what is asked for waits its turn",
                        "queues/item/Ranks.java",
                        "item.content.ranked(item.asked ? 1 : priority",
                        "item.content.ranked(priority"),
                new Mutant(
                        "an item is urgent although nobody asks any more",
                        "queues/item/Ends.java",
                        "            item.asked = false;\n            await(queue, item);",
                        "            await(queue, item);"),
                new Mutant(
                        "who waits is not told of the end",
                        "queues/item/Ends.java",
                        "Set<Ask> waiting = lane.ends.remove(item.number);",
                        "Set<Ask> waiting = null;"),
                new Mutant(
                        "a purge loses those who wait",
                        "queues/item/Ends.java",
                        "            lane.renumbered(before, item.number);\n",
                        ""),
                new Mutant(
                        "what somebody waited for is gone at once",
                        "queues/item/Rests.java",
                        "item.asked ? Math.max(freshS, LEAST_FRESH_S) : freshS",
                        "freshS"),
                new Mutant(
                        "a question passes the bound of its queue",
                        "queues/item/Pushes.java",
                        "        String full = full(queue, waits ? content.ranked(1) : content, key, dead, rest);\n",
                        "        String full = null;\n"),
                new Mutant(
                        "a question for a key that was removed while a worker has it makes no work",
                        "queues/item/Answers.java",
                        "if (item != null && !isDead && !isGone) {",
                        "if (item != null && !isDead) {"),
                new Mutant(
                        "the result of a removed item is an answer",
                        "queues/item/Ends.java",
                        "if (item.removed) {\n            // Its worker hears",
                        "if (item.number < 0) {\n            // Its worker hears"),
                new Mutant(
                        "an answer that nobody asked for is looked up anew",
                        "queues/item/Rests.java",
                        "settings.refresh() == Refresh.ALWAYS && freshS > 0",
                        "settings.refresh() != Refresh.NEVER && freshS > 0"),
                new Mutant(
                        "an answer is not looked up anew after a look-up that failed",
                        "queues/item/Rests.java",
                        "            refreshLater(queue, kept, item);\n",
                        ""),
                new Mutant(
                        "an answer that somebody asked for is not looked up anew",
                        "queues/item/Replies.java",
                        "            rests.asked(queue, rest);\n",
                        ""),
                new Mutant(
                        "an answer is looked up anew long before its end",
                        "queues/item/Rests.java",
                        " || lane.now() < lastTenth(rest)",
                        ""),
                new Mutant(
                        "an item that comes back is urgent although nobody asks any more",
                        "queues/item/Ends.java",
                        "        item.asked = item.asked && lane.isAskedFor(item.number);\n",
                        ""),
                new Mutant(
                        "a push of a new rule is nothing while an answer is fresh",
                        "queues/item/Pushes.java",
                        "\n                && !changesRule(content, rest)",
                        ""),
                new Mutant(
                        "what was pushed while its key was leased does not keep its grace",
                        "queues/item/Ends.java",
                        "next.notBefore(Math.max(next.notBefore(), grace))",
                        "next"),
                new Mutant("a hit is not counted", "queues/item/Replies.java", "        queue.record.hits++;\n", ""),
                new Mutant(
                        "a push makes work although a fresh answer is there",
                        "queues/item/Pushes.java",
                        "            return QueueAnswer.of(push.n(), Status.FRESH);",
                        "            return null;"),
                new Mutant(
                        "so many wait as want to",
                        "queues/item/Answers.java",
                        "ask.waitMs() > 0 && lane.asks < lane.options.maxAsks()",
                        "ask.waitMs() > 0"));
    }

    private static List<Mutant> ranks() {
        return List.of(
                new Mutant(
                        "a fact counts the wrong way",
                        "queues/item/Ranks.java",
                        "Math.round(given - sum)",
                        "Math.round(given + sum)"),
                new Mutant(
                        "facts of owners count nothing",
                        "queues/item/Ranks.java",
                        "if (owner != null && !owner.facts().isEmpty()) {",
                        "if (owner == null) {\n            return content.given();\n        } else if (facts == null) {"),
                new Mutant(
                        "facts make an item urgent",
                        "queues/item/Ranks.java",
                        "Math.max(BEST, Math.min(",
                        "Math.max(1, Math.min("),
                new Mutant(
                        "an urgent item is ranked too",
                        "queues/item/Ranks.java",
                        "ranker == null || content.given() == 1",
                        "ranker == null"),
                new Mutant(
                        "what waits is not ranked anew by new weights",
                        "queues/item/QueueChanges.java",
                        "            ranks.rankAll(queue);\n",
                        ""),
                new Mutant(
                        "what waits is not ranked anew by facts of its owner",
                        "queues/item/Scores.java",
                        "            ranks.rankAll(queue, queue.owner(score.owner()));\n",
                        ""),
                new Mutant(
                        "facts of a key replace all that was known",
                        "queues/state/Content.java",
                        "Map<String, Double> all = new HashMap<>(facts);",
                        "Map<String, Double> all = new HashMap<>();"),
                new Mutant(
                        "a fact that is taken away stays",
                        "queues/state/Content.java",
                        "        all.putAll(changes);\n",
                        "        changes.forEach((name, fact) -> all.merge(name, fact == null ? 0.0 : fact, (a, b) -> fact == null ? a : b));\n"),
                new Mutant(
                        "a key that rests learns nothing",
                        "queues/item/Scores.java",
                        "            rest.content = rest.content.facts(score.facts());\n",
                        ""));
    }
}
