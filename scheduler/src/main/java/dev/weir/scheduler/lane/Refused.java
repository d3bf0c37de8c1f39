package dev.weir.scheduler.lane;

/** The event can't be taken; nothing has been changed when this is thrown. */
final class Refused extends RuntimeException {

    final String field;

    Refused(String field, String reason) {
        super(reason, null, false, false);
        this.field = field;
    }
}
