package dev.weir.simulator.world;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;

/** What the core wants done, kept so that it can be judged before it is done. */
public sealed interface Effect {

    record SendJob(String pool, Job job) implements Effect {}

    record SendNotice(String pilotId, Notice notice) implements Effect {}

    record Register(Registration registration) implements Effect {}

    record Announce(TaskEvent event) implements Effect {}

    record AskPage(PageRequest request) implements Effect {}

    record ShowRow(Row row) implements Effect {}

    record SendBeat(Beat beat) implements Effect {}

    /** @param message that waited in vain since an earlier event; null: that of the present event */
    record Refuse(Object message, String reason, String field) implements Effect {}
}
