package dev.weir.gateway.pilots;

/** A request waited for a job until another one of the same pilot took its place. */
public final class Replaced extends RuntimeException {

    Replaced(String pilot) {
        super("pilot '" + pilot
                + "' has made another request, which waits in place of this one. If you did not make it,"
                + " two pilots have the same id");
    }
}
