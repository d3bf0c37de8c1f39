package dev.weir.simulator;

import java.util.List;
import java.util.stream.Stream;

/** Deliberate bugs in the own source of the queues, for {@link MutantTest}: each breaks a promise of docs/QUEUES.md. */
final class QueueMutants {

    private QueueMutants() {}

    static List<Mutant> all() {
        Stream<List<Mutant>> others = Stream.of(QueueRestMutants.all(), RouteMutants.all());
        return Stream.concat(Stream.of(leases(), ends(), pushes(), bounds(), order(), changes()), others)
                .flatMap(List::stream)
                .toList();
    }

    private static List<Mutant> leases() {
        return List.of(
                new Mutant(
                        "a hold lets one start pass",
                        "engine/limit/Group.java",
                        "if (nowMillis < heldUntil) {\n            return 0;",
                        "if (nowMillis < heldUntil) {\n            return 1;"),
                new Mutant(
                        "a push that a restart has put before a done goes with the item",
                        "queues/item/Leases.java",
                        "item.successor = item.pushedAgain ? item.content : null;",
                        "item.successor = null;"),
                new Mutant(
                        "an earlier lease of the run before is adopted",
                        "queues/item/Token.java",
                        "return !isOfSameRun || Long.parseLong(lease.substring(dash)) > ",
                        "return !isOfSameRun || Long.parseLong(lease.substring(dash)) != "),
                new Mutant(
                        "a shorter hold ends a longer one",
                        "engine/limit/Group.java",
                        "heldUntil = Math.max(heldUntil, untilMillis);",
                        "heldUntil = untilMillis;"),
                new Mutant(
                        "the result of an ended lease counts",
                        "queues/item/Leases.java",
                        "return token.lease().equals(item.lease) || anyLease && isForgotten ? item : null;",
                        "return item;"),
                new Mutant(
                        "an ended lease of an earlier run keeps the next one's",
                        "queues/item/Leases.java",
                        "|| anyLease && isForgotten",
                        "|| isForgotten"),
                new Mutant(
                        "a finish whose lease a restart forgot is dropped when another worker has the item",
                        "queues/item/Leases.java",
                        " || anyLease && isForgotten ? item",
                        " ? item"),
                new Mutant(
                        "a lease that was lost before a restart ends the one that followed",
                        "queues/item/Leases.java",
                        "anyLease && isForgotten",
                        "anyLease && token.isOfAnotherStart(start)"),
                new Mutant(
                        "a lease that a restart forgot is not adopted",
                        "queues/item/Leases.java",
                        "return isForgotten ? adopt",
                        "return token.lease().isEmpty() ? adopt"),
                new Mutant(
                        "a lease that has ended begins again",
                        "queues/item/Leases.java",
                        "return isForgotten ? adopt",
                        "return token.isUnknownTo(item.lease) ? adopt"),
                new Mutant(
                        "an adopted lease takes no place in its groups",
                        "queues/item/Leases.java",
                        "        lane.groups.started(groups, lane.now());\n",
                        ""),
                new Mutant(
                        "an adopted item waits on",
                        "queues/item/Leases.java",
                        "        queue.leave(item, lane.now());\n",
                        ""),
                new Mutant(
                        "the token of an earlier item of the key counts",
                        "queues/item/Leases.java",
                        "lane.item(queue, token.number())",
                        "lane.item(queue, token.key())"),
                new Mutant(
                        "a lease ends before its time when a beat comes soon",
                        "queues/model/Lane.java",
                        "return leaseClock.now() + options.beatInterval().toMillis() + seconds * 1_000L;",
                        "return leaseClock.now() + seconds * 1_000L;"),
                new Mutant(
                        "a lease is extended for ever",
                        "queues/item/Leases.java",
                        "        item.leaseUntil = Math.min(item.leaseMost, lane.leaseEnd(leaseS));\n        lane.leaseClock.set(",
                        "        item.leaseUntil = lane.leaseEnd(leaseS);\n        lane.leaseClock.set("),
                new Mutant(
                        "an extended lease ends as if it were not",
                        "queues/item/Leases.java",
                        "        lane.leaseClock.set(lane.leases.get(item.number).timer, 0, item.leaseUntil);\n",
                        ""),
                new Mutant(
                        "a worker does not hear that its item was removed",
                        "queues/item/Leases.java",
                        "item == null || item.removed || item",
                        "item == null || item"),
                new Mutant(
                        "an outage of ours takes items from workers",
                        "engine/LeaseClock.java",
                        "Math.min(since, intervalMillis)",
                        "since"),
                new Mutant(
                        "leases stand still after the clock went back",
                        "engine/LeaseClock.java",
                        "record.beatHeardAt = session.now();\n            session",
                        "session"),
                new Mutant(
                        "workers have more items than they may",
                        "queues/item/Pops.java",
                        "return lane.leases.size() < lane.options.maxLeased();",
                        "return lane.leases.size() <= lane.options.maxLeased();"));
    }

    private static List<Mutant> ends() {
        return List.of(
                new Mutant(
                        "one attempt too many",
                        "queues/item/Ends.java",
                        "item.failures >= settings.attempts()",
                        "item.failures > settings.attempts()"),
                new Mutant(
                        "a failed item that is not to be tried again is",
                        "queues/item/Ends.java",
                        "if (!retry || item.failures",
                        "if (item.failures"),
                new Mutant(
                        "a handed back item has used an attempt",
                        "queues/item/Ends.java",
                        "        item.releases += unseen ? 0 : 1;\n",
                        "        item.releases += unseen ? 0 : 1;\n        item.failures++;\n"),
                new Mutant(
                        "what reached no worker counts as handed back",
                        "queues/item/Ends.java",
                        "item.releases += unseen ? 0 : 1;",
                        "item.releases++;"),
                new Mutant(
                        "an item is lost by workers without end",
                        "queues/item/Ends.java",
                        "if (item.lost >= queue.settings().lostLeases()) {",
                        "if (item.lost > queue.settings().lostLeases() + 1) {"),
                new Mutant(
                        "a failed item cools off as long each time",
                        "queues/item/Ends.java",
                        "Math.min(MOST_DOUBLINGS, item.failures - 1)",
                        "Math.min(0, item.failures - 1)"),
                new Mutant(
                        "a failed item does not cool off",
                        "queues/item/Ends.java",
                        "Math.max(item.content.notBefore(), item.coolUntil)",
                        "item.content.notBefore()"),
                new Mutant(
                        "more are dead than the queue keeps",
                        "queues/model/Queue.java",
                        "dead.size() > settings().maxDead()",
                        "dead.size() > settings().maxDead() + 1"),
                new Mutant(
                        "of too many dead items the newest is dropped",
                        "queues/item/Ends.java",
                        "queue.dead().pollFirst()",
                        "queue.dead().pollLast()"),
                new Mutant(
                        "a dead item is kept half as long",
                        "queues/model/Queue.java",
                        "settings().deadS() * 1_000L",
                        "settings().deadS() * 500L"),
                new Mutant(
                        "a dead item that makes room for another one is not counted",
                        "queues/item/Ends.java",
                        "        forget(lane.item(oldest.number()));\n        queue.record.deadDropped++;\n",
                        "        forget(lane.item(oldest.number()));\n"),
                new Mutant(
                        "the successor of a leased item is lost",
                        "queues/item/Ends.java",
                        "        Content next = item.successor;\n        if (next != null && (next",
                        "        Content next = item.successor;\n        if (next != null && item.failures > 0 && (next"),
                new Mutant(
                        "a lost lease keeps its place in its groups",
                        "queues/item/Ends.java",
                        "        lane.groups.ended(lease.groups, lane.now());\n",
                        "        if (item.leaseUntil > lane.leaseClock.now()) {\n            lane.groups.ended(lease.groups, lane.now());\n        }\n"),
                new Mutant(
                        "no pop hears that workers may have more items again",
                        "queues/item/Ends.java",
                        "            lane.agenda.addAll(lane.queues.values());\n",
                        ""),
                new Mutant(
                        "a removed item waits again",
                        "queues/item/Ends.java",
                        "if (item.removed || item.successor != null) {",
                        "if (item.successor != null) {"),
                new Mutant(
                        "a revived item dies of its old failures",
                        "queues/item/QueueChanges.java",
                        "            queue.leave(item, lane.now());\n            item.failures = 0;\n",
                        "            queue.leave(item, lane.now());\n"),
                new Mutant(
                        "what has expired holds the turn of its owner",
                        "queues/item/Pops.java",
                        "ends.expire(queue, EXPIRED_AT_ONCE - expired);",
                        "ends.expire(queue, 0);"));
    }

    private static List<Mutant> pushes() {
        return List.of(
                new Mutant(
                        "a push that the broker gives again is refused as full",
                        "queues/item/Pushes.java",
                        "String full = again ? null : full(queue, next, key, dead, rest);",
                        "String full = full(queue, next, key, dead, rest);"),
                new Mutant(
                        "a push that meets a leased item is forgotten",
                        "queues/item/Pushes.java",
                        "            ends.succeed(queue, present, present.successor == null ? next : shared(present.successor, content));\n",
                        ""),
                new Mutant(
                        "a push goes with the expired item that it meets",
                        "queues/item/Pushes.java",
                        "ends.present(queue, item.key())",
                        "lane.item(queue, item.key())"),
                new Mutant(
                        "a push makes a priority worse",
                        "queues/item/Pushes.java",
                        "Math.min(of.given(), other.given())",
                        "other.given()"),
                new Mutant(
                        "a replaced item keeps its failures",
                        "queues/item/Pushes.java",
                        "        present.failures = 0;\n",
                        ""),
                new Mutant(
                        "a push brings a dead item back as it was",
                        "queues/item/Pushes.java",
                        "            ends.remove(queue, dead);\n",
                        "            queue.leave(dead, lane.now());\n            ends.await(queue, dead);\n            return;\n"));
    }

    private static List<Mutant> bounds() {
        return List.of(
                new Mutant(
                        "a queue takes one item too many",
                        "queues/item/Bounds.java",
                        "queue.live() + 1 > Math.max(",
                        "queue.live() > Math.max("),
                new Mutant(
                        "any item may use the reserve",
                        "queues/item/Bounds.java",
                        "content.priority() == 1 ? 1 : 1 - settings.reserve()",
                        "1"),
                new Mutant(
                        "an owner has one item too many",
                        "queues/item/Bounds.java",
                        "owner.items() + more > most",
                        "owner.items() + more > most + 1"),
                new Mutant(
                        "a replaced item passes the bound of its new owner",
                        "queues/item/Bounds.java",
                        "isOfOwner ? 0 : 1",
                        "0"),
                new Mutant("bytes are without bound", "queues/item/Bounds.java", "> most * part", "> most * 2"));
    }

    private static List<Mutant> order() {
        return List.of(
                new Mutant(
                        "the youngest of equal items goes first",
                        "queues/model/Bucket.java",
                        "        places.add(place);\n        first = places.firstLong();",
                        "        places.add(place);\n        first = places.tailSet(places.lastLong() >>> 43 << 43).firstLong();"),
                new Mutant(
                        "urgent items wait for the turn of their owner",
                        "queues/model/Line.java",
                        "if (Place.priority(first) == 1) {",
                        "if (Place.priority(first) == 0) {"),
                new Mutant(
                        "urgent items of an owner take its weight of turns",
                        "queues/model/Share.java",
                        "new Turn(this, arrival, 1)",
                        "new Turn(this, arrival, owner.weight())"),
                new Mutant(
                        "owners with work get equal shares",
                        "queues/model/Share.java",
                        "new Turn(this, arrival, owner.weight())",
                        "new Turn(this, arrival, 1)"),
                new Mutant(
                        "the first kind is served, not the best item",
                        "queues/item/Pops.java",
                        "(head == null || own.first() < head.first())",
                        "head == null"),
                new Mutant(
                        "a pop gets items of any kind",
                        "queues/item/Pops.java",
                        "pop.kinds().isEmpty() || pop.kinds().contains(line.kind())",
                        "true"),
                new Mutant(
                        "a worse item of the owner goes first when it has a place",
                        "queues/model/Bucket.java",
                        "return first < ((Bucket) other).first;",
                        "return first > ((Bucket) other).first;"),
                new Mutant(
                        "a group of items takes one lease more than it may",
                        "limit/Group.java",
                        "limit.maxInFlight() - inFlight",
                        "limit.maxInFlight() - inFlight + 1"),
                new Mutant(
                        "the window of starts of items is half as long",
                        "limit/StartWindow.java",
                        "<= nowMillis - windowMillis) {",
                        "<= nowMillis - windowMillis / 2) {"),
                new Mutant(
                        "a place that a lease gives back is given to no item",
                        "limit/Groups.java",
                        "            group.ended();\n            group.settle(nowMillis);",
                        "            group.ended();"));
    }

    private static List<Mutant> changes() {
        return List.of(
                new Mutant(
                        "a pop that waits hears nothing of a new item",
                        "queues/QueuesApplication.java",
                        "                if (!queue.pops.isEmpty()) {",
                        "                if (queue.pops.isEmpty()) {"),
                new Mutant(
                        "a pop whose wait is over is not answered",
                        "queues/item/Pops.java",
                        "        ask.queue.pops.remove(ask);\n        end(ask, List.of());",
                        "        lane.timers.set(ask.timer, lane.now() + 5_000);"),
                new Mutant(
                        "a pop for any kind waits for ever",
                        "queues/model/WaitingPops.java",
                        "Map.Entry<Ask, Long> oldest = first(ANY);",
                        "Map.Entry<Ask, Long> oldest = null;"),
                new Mutant(
                        "a pop that waits hears nothing of a resumed queue",
                        "queues/item/QueueChanges.java",
                        "                lane.agenda.add(queue);\n",
                        ""),
                new Mutant(
                        "a paused queue gives items",
                        "queues/model/Queue.java",
                        "return !record.paused && !record.deleted;",
                        "return !record.deleted;"),
                new Mutant(
                        "a purge leaves what is put off",
                        "queues/model/Queue.java",
                        "        later.forEach(due -> purged.add(due.number()));\n",
                        ""),
                new Mutant(
                        "a purge takes what is dead",
                        "queues/item/QueueChanges.java",
                        "purge(queue, false)",
                        "purge(queue, true)"),
                new Mutant(
                        "what outlived a purge is purged when it waits again",
                        "queues/item/Ends.java",
                        "if (item.number < queue.record.purgedBelow) {",
                        "if (item.number < 0) {"),
                new Mutant(
                        "a purge forgets what owners have leased",
                        "queues/model/Queue.java",
                        "                owners.get(lease.owner).items++;\n",
                        ""),
                new Mutant(
                        "a redrive passes the bounds",
                        "queues/item/QueueChanges.java",
                        "bounds.full(queue, item.content, item.key, item) != null\n",
                        "queue.live() < 0\n"),
                new Mutant(
                        "dead items without room keep the others from coming back",
                        "queues/item/QueueChanges.java",
                        "queue.dead().stream().limit(STEP)",
                        "queue.dead().stream().limit(redrive.most())"),
                new Mutant(
                        "a removed item runs its successor",
                        "queues/item/QueueChanges.java",
                        "            ends.succeed(queue, item, null);\n",
                        "            ends.succeed(queue, item, item.successor);\n"),
                new Mutant(
                        "a queue is low without a word",
                        "queues/QueuesApplication.java",
                        "items < mark;",
                        "items < mark - 1;"),
                new Mutant(
                        "a start that was adopted is forgotten by the next restart",
                        "queues/item/Leases.java",
                        "        lane.changed(queue);\n        hold(",
                        "        hold("));
    }
}
