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

/** Problem documents for requests that Jetty itself refuses, such as headers that are too large. */
final class JettyProblems implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? 500 : response.getStatus();
        Problem problem = new Problem(
                status,
                "Request refused",
                "the request is not valid HTTP, or larger than allowed: " + HttpStatus.getMessage(status));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, JsonHttp.PROBLEM_TYPE);
        response.write(true, ByteBuffer.wrap(Json.write(problem.document())), callback);
        return true;
    }
}
