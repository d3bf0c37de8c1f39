package dev.weir.gateway.http;

import dev.weir.gateway.access.Role;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The contract, and Swagger UI to read and try it. Nothing comes from elsewhere. */
final class Docs {

    private static final String OWN = "/gateway/";
    private static final Map<String, String> TYPES = Map.of(
            "swagger-ui.css", "text/css",
            "swagger-ui-bundle.js", "text/javascript",
            "docs.js", "text/javascript");

    private final String webjar = Webjars.directory("org.webjars", "swagger-ui");

    void addTo(RoutesConfig routes) {
        routes.get("/openapi.yaml", http -> give(http, "application/yaml", OWN + "openapi.yaml"), Role.ANYONE);
        routes.get("/docs", http -> give(http, "text/html", OWN + "docs.html"), Role.ANYONE);
        routes.get("/docs/{file}", this::file, Role.ANYONE);
    }

    private void file(Context http) {
        String name = http.pathParam("file");
        String type = TYPES.get(name);
        if (type == null) {
            throw new Problem(404, "No such page", "there is nothing at " + http.path());
        }
        give(http, type, (name.equals("docs.js") ? OWN : webjar) + name);
    }

    private static void give(Context http, String type, String resource) {
        // Swagger UI writes styles into the page.
        http.header(
                "Content-Security-Policy",
                "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'");
        try (InputStream in = Docs.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + resource);
            }
            http.contentType(type + "; charset=utf-8").result(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
