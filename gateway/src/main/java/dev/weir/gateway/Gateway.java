package dev.weir.gateway;

import dev.weir.gateway.http.Web;
import dev.weir.gateway.options.GatewayOptions;
import java.net.URI;

/** A running gateway. Safe for use from many threads. */
public final class Gateway implements AutoCloseable {

    private final GatewayOptions options;
    private final Web web;

    private Gateway(GatewayOptions options, Web web) {
        this.options = options;
        this.web = web;
    }

    /**
     * Answers from now on. Database and broker may be away: then its answers say so.
     *
     * @throws IllegalArgumentException when the broker's address is none, or a file for TLS cannot be used
     * @throws io.javalin.util.JavalinException when it cannot listen
     */
    public static Gateway start(GatewayOptions options) {
        return new Gateway(options, new Web(options));
    }

    /** Where it answers. */
    public URI url() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        return URI.create((options.tls() == null ? "http://" : "https://") + host + ":" + web.port());
    }

    @Override
    public void close() {
        web.close();
    }
}
