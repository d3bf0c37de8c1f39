package dev.weir.simulator.world;

import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;

/** What the core wanted done, kept so that it can be judged before it is done. */
public sealed interface Effect {

    record Job(String pool, dev.weir.protocol.Job job) implements Effect {}

    record ToPilot(String pilotId, Notice notice) implements Effect {}

    record Register(Registration registration) implements Effect {}

    record Tell(TaskEvent event) implements Effect {}

    record AskPage(PageRequest request) implements Effect {}

    record Reject(String reason, String field) implements Effect {}

    record Mirror(Row row) implements Effect {}

    record Beat(dev.weir.protocol.Beat beat) implements Effect {}
}
