package dev.weir.pilot.storage;

import java.net.URI;
import java.net.http.HttpResponse;

/** Where a request goes when the server sends it on: a few times, to allowed hosts only, and never from {@code https} to {@code http}. */
final class HttpRedirects {

    private static final int MOST = 5;

    private final String method;
    private final String url;
    private final boolean toAnyHost;
    private final HttpHosts hosts;
    private URI uri;
    private int followed;

    /**
     * @param url for messages
     * @param toAnyHost else only to the host that was asked first, because a file may have to lie where the job says
     * @param hosts only these are asked
     * @throws RefusedException when the first is none of them
     */
    HttpRedirects(String method, String url, URI uri, boolean toAnyHost, HttpHosts hosts) throws RefusedException {
        hosts.check(uri, url);
        this.method = method;
        this.url = url;
        this.uri = uri;
        this.toAnyHost = toAnyHost;
        this.hosts = hosts;
    }

    /** Where to ask now. */
    URI uri() {
        return uri;
    }

    void follow(HttpResponse<?> answer) throws RefusedException {
        String location = answer.headers().firstValue("location").orElse("");
        URI next;
        try {
            next = uri.resolve(location);
        } catch (IllegalArgumentException e) {
            throw refused(answer, "to what is no URL");
        }
        String scheme = String.valueOf(next.getScheme());
        if (location.isEmpty() || next.getHost() == null || !scheme.matches("(?i)https?")) {
            throw refused(answer, "to what is no http URL");
        }
        if (!toAnyHost && !next.getHost().equalsIgnoreCase(uri.getHost())) {
            throw refused(answer, "to another host, " + next.getHost());
        }
        if (uri.getScheme().equalsIgnoreCase("https") && scheme.equalsIgnoreCase("http")) {
            throw refused(answer, "from https to http");
        }
        if (++followed > MOST) {
            throw refused(answer, "too often");
        }
        hosts.check(next, url);
        uri = next;
    }

    private RefusedException refused(HttpResponse<?> answer, String where) {
        return new RefusedException(method + " " + url + " was sent on " + where + " (" + answer.statusCode() + ")");
    }
}
