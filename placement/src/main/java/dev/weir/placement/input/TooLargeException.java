package dev.weir.placement.input;

/** The workers, or the chunks, are more than a placement can compute with. The message has the numbers. */
public final class TooLargeException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public TooLargeException(String message) {
        super(message);
    }
}
