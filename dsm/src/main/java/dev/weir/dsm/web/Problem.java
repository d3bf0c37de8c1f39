package dev.weir.dsm.web;

/** A request that cannot be answered as asked: becomes a problem document (RFC 9457) with this status. */
final class Problem extends RuntimeException {

    private final int status;
    private final String title;

    Problem(int status, String title, String detail) {
        super(detail);
        this.status = status;
        this.title = title;
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    /** What goes over the wire. */
    record Document(String type, String title, int status, String detail) {}

    Document document() {
        return new Document("about:blank", title, status, getMessage());
    }
}
