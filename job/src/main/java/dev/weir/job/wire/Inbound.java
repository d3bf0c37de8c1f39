package dev.weir.job.wire;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A message on its way to the scheduling function.
 *
 * @param kind what it is
 * @param lane the key of the scheduling function, from 0
 * @param queue where it came from, for {@code weir.rejected}
 * @param receivedAtMillis when, in milliseconds since 1970
 * @param body as it arrived; what was read from DSM for it is in {@code answer}
 * @param answer what DSM answered: a {@code DatasetPage} for {@link Kind#PAGE}, a reason for {@link Kind#PAGE_FAILED} and
 *     {@link Kind#PAGE_UNAVAILABLE}, as UTF-8; empty for the others
 */
public record Inbound(Kind kind, int lane, String queue, long receivedAtMillis, byte[] body, byte[] answer) {

    private static final byte[] NO_ANSWER = {};

    /** Which message a body holds. The order is part of the state's format: append only. */
    public enum Kind {
        TASK,
        COMMAND,
        REPORT,
        /** A request for a page, not answered yet. */
        PAGE_REQUEST,
        PAGE,
        /** DSM will never give this page: unknown dataset, or an answer that makes no sense. */
        PAGE_FAILED,
        /** DSM could not be asked for now. */
        PAGE_UNAVAILABLE,
        /** Row changes for the mirror. */
        ROWS
    }

    public static final TypeInformation<Inbound> TYPE = new MessageType<>(Inbound.class, InboundSerializer.INSTANCE);

    /** A message as it arrived, its lane not known yet. */
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
