package dev.weir.protocol;

/** A message violates the protocol. Contains the invalid field (null for the whole message) and the reason. */
public final class InvalidMessage extends RuntimeException {

    private final String field;

    public InvalidMessage(String field, String reason) {
        this(field, reason, null);
    }

    public InvalidMessage(String field, String reason, Throwable cause) {
        // Both may quote a message of any length.
        super(Check.sentence(reason), cause);
        this.field = field == null ? null : Texts.first(field, Limits.MAX_FIELD_LENGTH);
    }

    /** The invalid field as spelled on the wire, with its path if nested; null for the whole message. */
    public String field() {
        return field;
    }
}
