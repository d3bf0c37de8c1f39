package dev.weir.cli.client;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command for each of the things that are named. Exit code 1 if one of them was ignored, refused or not sent. */
abstract class NamedAction implements Callable<Integer> {

    private final String kind;
    private final String path;

    @Mixin
    private Changing changing;

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Uids of tasks, ids of pilots, or names of pools.")
    private List<String> names;

    /**
     * @param kind {@code task}, {@code pilot} or {@code pool}
     * @param path the state that the gateway is asked to bring about, as in {@code paused}
     */
    NamedAction(String kind, String path) {
        this.kind = kind;
        this.path = path;
    }

    @Override
    public Integer call() throws IOException {
        for (String name : names) {
            changing.send(kind + " " + name, "PUT", kind + "/" + GatewayClient.part(name) + "/" + path, null);
        }
        return changing.end();
    }
}
