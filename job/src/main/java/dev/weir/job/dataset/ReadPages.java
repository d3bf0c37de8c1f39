package dev.weir.job.dataset;

import dev.weir.connectors.dsm.DsmFailure;
import dev.weir.connectors.dsm.DsmReader;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.protocol.Json;
import dev.weir.protocol.PageRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Answers each page request with the page or with the reason of a failure; never with an exception. */
public final class ReadPages extends AsksDsm {

    public ReadPages(DsmAccess access) {
        super(access);
    }

    @Override
    CompletableFuture<Inbound> ask(DsmReader dsm, Inbound message) {
        PageRequest request = Json.read(message.body(), PageRequest.class);
        return dsm.page(request.datasetUid(), request.offset(), request.limit())
                .handle((page, failure) -> failure == null
                        ? message.answered(Kind.PAGE, Json.write(page))
                        : failed(message, DsmAccess.cause(failure)));
    }

    @Override
    Inbound unanswered(Inbound message, String why) {
        return message.answered(Kind.PAGE_UNAVAILABLE, why.getBytes(StandardCharsets.UTF_8));
    }

    private static Inbound failed(Inbound message, Throwable failure) {
        boolean forGood = failure instanceof DsmFailure dsm && dsm.kind() != DsmFailure.Kind.UNAVAILABLE;
        return message.answered(
                forGood ? Kind.PAGE_FAILED : Kind.PAGE_UNAVAILABLE,
                String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8));
    }
}
