package dev.weir.gateway.http;

import dev.weir.protocol.Json;
import dev.weir.web.JsonHttp;
import dev.weir.web.Problem;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Problem documents for requests that are refused before a route is looked for, such as headers that are too large. */
final class JettyProblems implements Request.Handler {

    /** Answers with a problem document; the request goes no further. */
    static void refuse(Response response, Callback callback, Problem problem) {
        response.setStatus(problem.status());
        // What is left of the body would be taken for the next request.
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(response, callback, problem);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? 500 : response.getStatus();
        Problem problem = new Problem(
                status,
                "Request refused",
                "the request is not valid HTTP, or larger than allowed: " + HttpStatus.getMessage(status));
        write(response, callback, problem);
        return true;
    }

    private static void write(Response response, Callback callback, Problem problem) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, JsonHttp.PROBLEM_TYPE);
        response.write(true, ByteBuffer.wrap(Json.write(problem.document())), callback);
    }
}
