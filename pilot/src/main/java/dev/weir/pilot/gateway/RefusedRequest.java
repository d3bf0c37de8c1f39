package dev.weir.pilot.gateway;

import java.io.IOException;

/** The gateway answered a request with another status than 200. */
final class RefusedRequest extends IOException {

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORISED = 401;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int TOO_LARGE = 413;
    private static final int UNPROCESSABLE = 422;

    private final int status;

    RefusedRequest(int status, String detail) {
        super(status + ", " + detail);
        this.status = status;
    }

    /** This token does not allow the request. */
    boolean isAboutToken() {
        return status == UNAUTHORISED || status == FORBIDDEN;
    }

    /** The token may do less than this. */
    boolean isForbidden() {
        return status == FORBIDDEN;
    }

    /** The same request would be refused again. */
    boolean isForGood() {
        return status == BAD_REQUEST || status == TOO_LARGE || status == UNPROCESSABLE;
    }

    /** Another request of this pilot took its place. */
    boolean isReplaced() {
        return status == CONFLICT;
    }
}
