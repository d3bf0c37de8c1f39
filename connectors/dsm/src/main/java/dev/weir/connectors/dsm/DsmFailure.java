package dev.weir.connectors.dsm;

import dev.weir.protocol.Urls;

/** DSM could not give what was asked for. The message says what happened, at which URL, and what to do. */
public final class DsmFailure extends RuntimeException {

    /** What follows from a failure. */
    public enum Kind {
        /** DSM does not know it: asking again is useless. */
        NOT_FOUND,
        /** DSM gives a dataset or storage, but one that breaks the protocol: asking again is useless until it is repaired. */
        BROKEN,
        /** DSM does not answer, or answers something else, such as an error or a login page, in spite of all retries: asking later may help. */
        UNAVAILABLE
    }

    private final Kind kind;

    DsmFailure(Kind kind, String message, Throwable cause) {
        super(Urls.withoutSecrets(message), cause);
        this.kind = kind;
    }

    static DsmFailure broken(String url, String what, Throwable cause) {
        return new DsmFailure(
                Kind.BROKEN,
                "DSM gave a broken answer at " + url + ": " + what
                        + ". Repair the dataset or the DSM, then send a new task.",
                cause);
    }

    public Kind kind() {
        return kind;
    }
}
