package dev.weir.bench.queue;

import dev.weir.protocol.queue.Item;
import dev.weir.testing.ScratchDatabase;
import io.javalin.Javalin;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A table with {@code FOR UPDATE SKIP LOCKED}, behind HTTP: priorities, later starts, leases and the same limits of groups, but neither
 * turns of owners nor retries. Requests share transactions, which begin at least 4 ms after one another, as messages leave Weir's gateway, and
 * commits do not wait for the disk.
 * One connection takes and ends: more of them would wait for each other at the rows of the groups.
 */
final class SkipLocked implements Contender {

    private static final int MOST_WAITING = 10_000;
    private static final int MOST_AT_ONCE = 256;
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final int ROWS = 1_000;
    private static final String SCHEMA = """
            CREATE TABLE item (
              id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text UNIQUE NOT NULL, owner text NOT NULL, priority int NOT NULL,
              payload text NOT NULL, groups text[] NOT NULL, leased boolean NOT NULL DEFAULT false,
              not_before timestamptz NOT NULL DEFAULT now(), lease_until timestamptz) WITH (fillfactor = 80);
            CREATE INDEX item_next ON item (priority, id) WHERE NOT leased;
            CREATE INDEX item_lease ON item (lease_until) WHERE leased;
            CREATE TABLE limits (name text PRIMARY KEY, in_flight int NOT NULL DEFAULT 0, most int NOT NULL) WITH (fillfactor = 20)""";
    private static final String TAKE = """
            WITH next AS (
              SELECT id FROM item WHERE NOT leased AND not_before <= now()
                AND NOT EXISTS (SELECT 1 FROM limits WHERE name = ANY (item.groups) AND in_flight >= most)
              ORDER BY priority, id LIMIT ? FOR UPDATE SKIP LOCKED),
            taken AS (
              UPDATE item SET leased = true, lease_until = now() + interval '60 s' FROM next WHERE item.id = next.id
              RETURNING item.id, item.key, item.payload, item.groups),
            counted AS (
              UPDATE limits SET in_flight = in_flight + n
              FROM (SELECT unnest(groups) AS name, count(*) AS n FROM taken GROUP BY 1) AS more WHERE limits.name = more.name)
            SELECT id, key, payload FROM taken""";
    private static final String END = """
            WITH ended AS (DELETE FROM item WHERE id = ANY (?) AND leased RETURNING groups),
            counted AS (
              UPDATE limits SET in_flight = in_flight - n
              FROM (SELECT unnest(groups) AS name, count(*) AS n FROM ended GROUP BY 1) AS less WHERE limits.name = less.name)
            SELECT count(*) FROM ended""";

    /**
     * @param takes so many items at most
     * @param ends items to end
     */
    private record Request(int takes, List<Long> ends, CompletableFuture<String> answer) {}

    private final ScratchDatabase database = ScratchDatabase.create();
    private final Connection fills;
    private final Connection works;
    private final BlockingQueue<Request> requests = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread worker = new Thread(this::work, "skip-locked");
    private final Javalin server;
    private final HttpCalls calls;
    private final Scans scans = new Scans();
    private volatile boolean closed;

    SkipLocked() throws SQLException {
        fills = connect();
        works = connect();
        for (String statement : SCHEMA.split(";")) {
            database.run(statement);
        }
        for (String group : Scans.LIMITED) {
            database.run("INSERT INTO limits (name, most) VALUES ('" + group + "', " + Scans.LIMIT + ")");
        }
        server = Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.routes.get(
                            "/constant",
                            http -> http.contentType("application/json").result(Edge.CONSTANT));
                    config.routes.post(
                            "/take",
                            http -> http.contentType("application/json")
                                    .future(() -> ask(Integer.parseInt(http.body()), List.of())
                                            .thenAccept(http::result)));
                    config.routes.post(
                            "/end",
                            http -> http.contentType("application/json")
                                    .future(() -> ask(0, ids(http.body())).thenAccept(http::result)));
                })
                .start("127.0.0.1", 0);
        calls = new HttpCalls("http://127.0.0.1:" + server.port(), null);
        worker.start();
    }

    private Connection connect() throws SQLException {
        Connection connection = database.connect();
        try (var statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = off");
        }
        connection.setAutoCommit(false);
        return connection;
    }

    private static List<Long> ids(String text) {
        return Stream.of(text.split(",")).map(Long::valueOf).toList();
    }

    private CompletableFuture<String> ask(int takes, List<Long> ends) {
        Request request = new Request(takes, ends, new CompletableFuture<String>().orTimeout(30, TimeUnit.SECONDS));
        if (!requests.offer(request)) {
            request.answer.completeExceptionally(
                    new IllegalStateException("so many requests wait already: " + MOST_WAITING));
        }
        return request.answer;
    }

    private void work() {
        long began = System.nanoTime();
        while (!closed) {
            List<Request> batch = new ArrayList<>();
            try {
                Request first = requests.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    TimeUnit.NANOSECONDS.sleep(Math.max(0, began + MOMENT_NANOS - System.nanoTime()));
                    began = System.nanoTime();
                    batch.add(first);
                    requests.drainTo(batch, MOST_AT_ONCE - 1);
                    answer(batch);
                }
            } catch (SQLException | InterruptedException e) {
                batch.forEach(request -> request.answer.completeExceptionally(e));
            }
        }
    }

    private void answer(List<Request> batch) throws SQLException {
        Object[] ends = batch.stream().flatMap(one -> one.ends.stream()).toArray();
        int takes = batch.stream().mapToInt(Request::takes).sum();
        List<String> taken = new ArrayList<>();
        if (ends.length > 0) {
            try (PreparedStatement end = works.prepareStatement(END)) {
                end.setArray(1, works.createArrayOf("bigint", ends));
                ResultSet ended = end.executeQuery();
                ended.next();
                if (ended.getInt(1) != ends.length) {
                    throw new SQLException(ended.getInt(1) + " items were ended of " + ends.length);
                }
            }
        }
        if (takes > 0) {
            try (PreparedStatement take = works.prepareStatement(TAKE)) {
                take.setInt(1, takes);
                ResultSet rows = take.executeQuery();
                while (rows.next()) {
                    taken.add("{\"token\":\"" + rows.getLong(1) + "\",\"key\":\"" + rows.getString(2)
                            + "\",\"payload\":" + rows.getString(3) + "}");
                }
            }
        }
        works.commit();
        int given = 0;
        for (Request request : batch) {
            int end = Math.min(given + request.takes, taken.size());
            request.answer.complete("{\"items\":[" + String.join(",", taken.subList(given, end)) + "]}");
            given = end;
        }
    }

    /** A constant from its server, without a look at tokens. */
    CompletableFuture<String> constant() {
        return calls.get("/constant");
    }

    @Override
    public String name() {
        return "SKIP LOCKED";
    }

    @Override
    public synchronized void fill(long count) throws SQLException {
        try (PreparedStatement insert = fills.prepareStatement(
                "INSERT INTO item (key, owner, priority, payload, groups)"
                        + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET priority = least(item.priority, excluded.priority)")) {
            for (long i = 1; i <= count; i++) {
                Item item = scans.item();
                Array groups = fills.createArrayOf("text", item.groups().toArray());
                insert.setString(1, item.key());
                insert.setString(2, item.owner());
                insert.setInt(3, item.priority());
                insert.setString(4, item.payload().json());
                insert.setArray(5, groups);
                insert.addBatch();
                if (i % ROWS == 0 || i == count) {
                    insert.executeBatch();
                    fills.commit();
                }
            }
        }
        if (count > ROWS) {
            database.run("VACUUM ANALYZE item");
        }
    }

    @Override
    public CompletableFuture<List<String>> take(int most) {
        return calls.post("/take", "" + most).thenApply(Contender::proofs);
    }

    @Override
    public CompletableFuture<?> end(List<String> proofs) {
        return calls.post("/end", String.join(",", proofs));
    }

    @Override
    public void close() throws Exception {
        closed = true;
        worker.join();
        server.stop();
        fills.close();
        works.close();
        database.close();
    }
}
