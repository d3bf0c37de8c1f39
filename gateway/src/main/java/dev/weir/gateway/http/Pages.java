package dev.weir.gateway.http;

import dev.weir.gateway.access.Role;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.regex.Pattern;

/** The dashboard: a page, its modules and its styles. Nothing comes from elsewhere, and no text of a page is ever a script. */
final class Pages {

    private static final String OWN = "/gateway/ui/";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z-]{0,40}\\.(js|css|svg)");
    private static final Map<String, String> TYPES =
            Map.of("js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String charts = Webjars.directory("org.webjars.npm", "uplot") + "dist/";

    void addTo(RoutesConfig routes) {
        Handler page = http -> give(http, "text/html", OWN + "index.html");
        routes.get("/", page, Role.ANYONE);
        // Watchers ask so whether it is there, also for /health.
        routes.head("/", page, Role.ANYONE);
        routes.get("/ui/{file}", this::file, Role.ANYONE);
    }

    private void file(Context http) {
        String name = http.pathParam("file");
        if (name.equals("uplot.js")) {
            give(http, "text/javascript", charts + "uPlot.esm.js");
        } else if (name.equals("uplot.css")) {
            give(http, "text/css", charts + "uPlot.min.css");
        } else if (NAME.matcher(name).matches() && Pages.class.getResource(OWN + name) != null) {
            give(http, TYPES.get(name.substring(name.lastIndexOf('.') + 1)), OWN + name);
        } else {
            throw new Problem(404, "No such page", "there is nothing at " + http.path());
        }
    }

    private static void give(Context http, String type, String resource) {
        http.header("Content-Security-Policy", POLICY);
        http.header("Referrer-Policy", "no-referrer");
        try (InputStream in = Pages.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file " + resource);
            }
            Tagged.write(http, type + "; charset=utf-8", in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
