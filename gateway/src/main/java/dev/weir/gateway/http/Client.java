package dev.weir.gateway.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;

/** The client of a request that waits, and the threads that serve it. */
final class Client {

    private Client() {}

    private static Request request(Context http) {
        return ServletContextRequest.getServletContextRequest(http.req());
    }

    /** The server's threads: a client that reads slowly holds one of them, and not a thread that hears the broker. */
    static Executor threads(Context http) {
        return request(http).getContext()::execute;
    }

    /**
     * Whether it has closed its connection. The server itself does not look while a request waits. A client that sends its next request
     * before it has the answer to this one loses that request, as HTTP allows: the connection closes after the answer. To be called
     * while the request waits, and only by one thread at a time.
     */
    static boolean isGone(Context http) {
        EndPoint connection =
                request(http).getConnectionMetaData().getConnection().getEndPoint();
        if (!connection.isOpen()) {
            return true;
        }
        ByteBuffer next = BufferUtil.allocate(1);
        try {
            int read = connection.fill(next);
            if (read > 0) {
                http.header("Connection", "close");
            }
            return read < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Runs this if the answer could not be sent. */
    static void ifUnsent(Context http, Runnable then) {
        Request.addCompletionListener(request(http), failure -> {
            if (failure != null) {
                then.run();
            }
        });
    }
}
