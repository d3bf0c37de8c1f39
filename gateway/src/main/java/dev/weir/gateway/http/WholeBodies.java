package dev.weir.gateway.http;

import dev.weir.web.Problem;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ByteBufferContentSource;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Lets a request go on when its whole body is there: a client that sends a byte a second has a connection, and no thread. That holds for bodies of up to
 * 64 KiB whose length is said; of others only some are read at once, by a thread each, and further ones are refused with 503. One whose body
 * turns out to be small counts only until it was read.
 */
final class WholeBodies extends Handler.Wrapper {

    private static final int SMALL_BYTES = 64 * 1024;

    private final Semaphore large;

    /** @param large how many bodies are read at once that are larger, or of unknown length */
    WholeBodies(int large) {
        this.large = new Semaphore(large);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        long length = request.getLength();
        if (length > SMALL_BYTES || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
            return handleLarge(request, response, callback);
        }
        if (length <= 0) {
            return super.handle(request, response, callback);
        }
        CompletableFuture<byte[]> body = Content.Source.asByteArrayAsync(request, SMALL_BYTES);
        if (body.isDone() && !body.isCompletedExceptionally()) {
            return super.handle(new Read(request, body.join()), response, callback);
        }
        var unused = body.whenComplete((bytes, failure) -> {
            if (failure == null) {
                request.getContext().execute(() -> handleRead(new Read(request, bytes), response, callback));
            } else {
                JettyProblems.refuse(
                        response,
                        callback,
                        new Problem(400, "Request refused", "the body did not come as it should, or not in time"));
            }
        });
        return true;
    }

    private void handleRead(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, 404);
            }
        } catch (Exception e) {
            Response.writeError(request, response, callback, e);
        }
    }

    private boolean handleLarge(Request request, Response response, Callback callback) throws Exception {
        if (!large.tryAcquire()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            JettyProblems.refuse(
                    response,
                    callback,
                    new Problem(503, "Too many large bodies", "too many large bodies come at once; ask again"));
            return true;
        }
        Large body = new Large(request, large);
        boolean isHandled = false;
        try {
            isHandled = super.handle(body, response, Callback.from(callback, body::over));
            return isHandled;
        } finally {
            if (!isHandled) {
                body.over();
            }
        }
    }

    /**
     * A request whose body may be large. It gives its place back once: after the last of a body that is small all the same, otherwise at its own
     * end, because the body is in memory until then.
     */
    private static final class Large extends Request.Wrapper {

        private final Semaphore places;
        private final AtomicBoolean isOver = new AtomicBoolean();
        /** Of its body so far; one thread at a time reads it. */
        private long bytes;

        Large(Request request, Semaphore places) {
            super(request);
            this.places = places;
        }

        void over() {
            if (!isOver.getAndSet(true)) {
                places.release();
            }
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null) {
                bytes += chunk.remaining();
                if (chunk.isLast() && bytes <= SMALL_BYTES) {
                    over();
                }
            }
            return chunk;
        }
    }

    /** A request whose body was read. */
    private static final class Read extends Request.Wrapper {

        private final Content.Source body;

        Read(Request request, byte[] body) {
            super(request);
            this.body = new ByteBufferContentSource(ByteBuffer.wrap(body));
        }

        @Override
        public Content.Chunk read() {
            return body.read();
        }

        @Override
        public void demand(Runnable demandCallback) {
            body.demand(demandCallback);
        }

        @Override
        public void fail(Throwable failure) {
            body.fail(failure);
            super.fail(failure);
        }
    }
}
