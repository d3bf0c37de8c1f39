package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What comes to the queues: requests of gateways, and their own beats. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = QueueRequest.class, name = "request"),
    @JsonSubTypes.Type(value = QueueBeat.class, name = "beat")
})
public sealed interface QueueMessage permits QueueRequest, QueueBeat {}
