package dev.weir.gateway.access;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.javalin.security.RouteRole;
import java.util.Locale;

/** What the owner of a token is. The routes say which roles may use them. */
public enum Role implements RouteRole {
    /** Reads everything. */
    @JsonProperty("viewer")
    VIEWER,
    /** A workflow management system: reads everything, sends and steers tasks. */
    @JsonProperty("wfms")
    WFMS,
    /** Takes jobs and reports as the pilots of its scope; reads and steers them. */
    @JsonProperty("pilot")
    PILOT,
    /** Takes items from the queues of its scope, and ends them. */
    @JsonProperty("worker")
    WORKER,
    /** Puts items into the queues of its scope, and looks at them. */
    @JsonProperty("feeder")
    FEEDER,
    /** Brings facts of which priorities are made, to the queues of its scope. */
    @JsonProperty("ranker")
    RANKER,
    /** Does everything but a pilot's work. */
    @JsonProperty("operator")
    OPERATOR,
    /** No token has this role: a route with it needs no token. */
    ANYONE;

    /** As files and the contract spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
