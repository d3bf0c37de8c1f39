package dev.weir.cli.disaster;

import dev.weir.testing.PrivatePostgres;
import dev.weir.testing.PrivateRabbit;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.site.Site;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A site with a RabbitMQ and a PostgreSQL of its own, so that a disaster meets no other test, and no other test helps in it. Where
 * RabbitMQ is not installed it has queues of its own at the broker that other tests use.
 */
final class OwnServers implements AutoCloseable {

    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final Site site;

    /** Starts the servers; nothing of Weir runs yet. All files but those of RabbitMQ are kept when it is closed. */
    OwnServers(Path directory) throws Exception {
        try {
            PrivatePostgres postgres = opened(new PrivatePostgres(directory.resolve("postgres")));
            ScratchBroker broker = PrivateRabbit.isInstalled()
                    ? ScratchBroker.at(opened(new PrivateRabbit(List.of())).uri())
                    : ScratchBroker.create();
            site = opened(new Site(directory, broker, postgres.createDatabase()));
        } catch (Exception | Error e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        closing.push(one);
        return one;
    }

    Site site() {
        return site;
    }

    /** Stops the processes of the site, and then its servers. */
    @Override
    public void close() throws Exception {
        while (!closing.isEmpty()) {
            closing.pop().close();
        }
    }
}
