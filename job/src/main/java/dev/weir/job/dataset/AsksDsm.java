package dev.weir.job.dataset;

import dev.weir.connectors.dsm.DsmReader;
import dev.weir.job.wire.Inbound;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/** Holds the connection to DSM of an operator that asks it, from the operator's start to its end. */
abstract class AsksDsm extends RichAsyncFunction<Inbound, Inbound> {

    private final DsmAccess access;
    private transient DsmReader reader;

    AsksDsm(DsmAccess access) {
        this.access = access;
    }

    final DsmReader reader() {
        return reader;
    }

    @Override
    public final void open(OpenContext context) {
        reader = access.open();
    }

    @Override
    public final void close() {
        if (reader != null) {
            reader.close();
        }
    }
}
