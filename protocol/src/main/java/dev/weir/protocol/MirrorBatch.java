package dev.weir.protocol;

import java.util.List;

/** Row changes on {@code weir.mirror}, at most {@value #MAX_ROWS} per message. */
public record MirrorBatch(List<Row> rows) {

    public static final int MAX_ROWS = 500;

    public MirrorBatch {
        rows = Check.copied("rows", Check.required("rows", rows));
        Check.atMost("rows", rows, MAX_ROWS);
    }
}
