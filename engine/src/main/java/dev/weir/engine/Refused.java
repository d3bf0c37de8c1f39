package dev.weir.engine;

/** The event cannot be taken; nothing was changed when this is thrown. */
public final class Refused extends RuntimeException {

    private final String field;

    /**
     * @param field the field at fault; null when the message as a whole is
     * @param reason what is wrong, in a sentence
     */
    public Refused(String field, String reason) {
        super(reason, null, false, false);
        this.field = field;
    }

    public String field() {
        return field;
    }
}
