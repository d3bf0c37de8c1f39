package dev.weir.protocol;

/** A message breaks the protocol. Carries the field at fault (null when the message as a whole is) and the reason. */
public final class InvalidMessage extends RuntimeException {

    private final String field;

    public InvalidMessage(String field, String reason) {
        this(field, reason, null);
    }

    public InvalidMessage(String field, String reason, Throwable cause) {
        super(reason, cause);
        this.field = field;
    }

    /** The field at fault as it is spelled on the wire, with its path for nested ones; null for the whole message. */
    public String field() {
        return field;
    }
}
