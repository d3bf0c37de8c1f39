package dev.weir.job.wire;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A message on its way to the scheduling function.
 *
 * @param kind type of the message
 * @param lane the key of the scheduling function, from 0
 * @param queue of its arrival, for {@code weir.rejected}
 * @param receivedAtMillis time of its arrival, in milliseconds since 1970
 * @param body as it arrived
 * @param answer of DSM as UTF-8: a {@code DatasetPage} for {@link Kind#PAGE}, a reason for {@link Kind#PAGE_FAILED} and
 *     {@link Kind#PAGE_UNAVAILABLE}; empty for the others
 */
public record Inbound(Kind kind, int lane, String queue, long receivedAtMillis, byte[] body, byte[] answer) {

    private static final byte[] NO_ANSWER = {};

    /** The type of message in a body. The order is part of the state's format: append only. */
    public enum Kind {
        TASK,
        COMMAND,
        REPORT,
        /** A request for a page, before DSM's answer. */
        PAGE_REQUEST,
        PAGE,
        /** A permanent failure: the dataset is unknown, or DSM's answer is invalid. */
        PAGE_FAILED,
        /** A temporary failure: DSM is unavailable. */
        PAGE_UNAVAILABLE,
        /** Row changes for the mirror. */
        ROWS,
        /** A message to the queues. */
        QUEUE_REQUEST,
        /** The same, which the broker may have given before. */
        QUEUE_REQUEST_AGAIN
    }

    public static final TypeInformation<Inbound> TYPE = new MessageType<>(Inbound.class, InboundSerializer.INSTANCE);

    /** A message on arrival, before its lane is known. */
    public static Inbound arrived(Kind kind, String queue, long receivedAtMillis, byte[] body) {
        return new Inbound(kind, 0, queue, receivedAtMillis, body, NO_ANSWER);
    }

    public Inbound inLane(int newLane) {
        return new Inbound(kind, newLane, queue, receivedAtMillis, body, answer);
    }

    public Inbound withBody(byte[] newBody) {
        return new Inbound(kind, lane, queue, receivedAtMillis, newBody, answer);
    }

    public Inbound answered(Kind newKind, byte[] newAnswer) {
        return new Inbound(newKind, lane, queue, receivedAtMillis, body, newAnswer);
    }
}
