package dev.weir.connectors.dsm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.Json;
import dev.weir.protocol.StorageAnswer;
import dev.weir.protocol.Texts;
import dev.weir.protocol.Urls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks DSM for pages of datasets and for storages. Returns at once; the futures end with the answer or with a
 * {@link DsmFailure}, and with nothing else. A question that is under way already is not asked twice, and one that is likely to be
 * answered does not wait for datasets that DSM does not answer for (see {@link Turns}). Safe for use from many threads. Keeps
 * at most {@code concurrency + 4} threads, all of them daemons, until closed; whatever is under way then fails.
 */
public final class DsmReader implements AutoCloseable {

    private static final int MAX_PROBLEM_BYTES = 16 << 10;
    private static final int MAX_DETAIL_CHARS = 300;

    private static final int CLIENT_THREADS = 2;
    private static final long MOST_SWEEP_MILLIS = TimeUnit.MINUTES.toMillis(15);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final DsmReaderOptions options;
    private final Spools spools;
    private final ThreadPoolExecutor workers;
    private final Turns turns;
    private final Failing failing = new Failing();
    private final ScheduledThreadPoolExecutor clock;
    private final ExecutorService clientThreads;
    private final HttpClient client;
    private final Map<URI, Question<DatasetPage>> pages = new ConcurrentHashMap<>();
    private final Map<URI, Question<String>> storages = new ConcurrentHashMap<>();
    private final ScheduledFuture<?> sweep;
    private volatile boolean closed;

    public DsmReader(DsmReaderOptions options) {
        this.options = options;
        String name = "dsm-reader-" + NUMBER.incrementAndGet();
        spools = new Spools(options);
        workers = new ThreadPoolExecutor(
                options.load().concurrency(),
                options.load().concurrency(),
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons(name));
        workers.allowCoreThreadTimeOut(true);
        turns = new Turns(workers, options.load().concurrency(), options.load().maxWaiting());
        clock = new ScheduledThreadPoolExecutor(1, daemons(name + "-clock"));
        clock.setRemoveOnCancelPolicy(true);
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        long sweepMillis = Math.min(
                MOST_SWEEP_MILLIS, Math.max(1000, options.spool().idle().toMillis() / 4));
        sweep = clock.scheduleWithFixedDelay(spools::dropIdle, sweepMillis, sweepMillis, TimeUnit.MILLISECONDS);
        clientThreads = Executors.newFixedThreadPool(CLIENT_THREADS, daemons(name + "-http"));
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(options.timeouts().connect())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .executor(clientThreads)
                .build();
    }

    /**
     * The files of a dataset from offset on, in its stable order, at most limit. A DSM that gives everything instead is asked
     * once per reading from offset 0, and further pages come from what it gave; shorter pages are accepted.
     *
     * @param offset from 0; at or beyond the end the page is empty
     * @param limit from 1
     */
    public CompletableFuture<DatasetPage> page(String datasetUid, long offset, int limit) {
        if (offset < 0 || limit < 1) {
            throw new IllegalArgumentException("no such page: offset " + offset + ", limit " + limit);
        }
        URI url = at("dataset", datasetUid, "?offset=" + offset + "&limit=" + limit);
        return ask(pages, url, offset == 0, failing.standing(datasetUid, offset > 0), () -> {
            // A reading that begins sees the dataset as it is now; one that goes on sees what it began with.
            CompletableFuture<Spool> known = offset == 0 ? null : spools.find(datasetUid);
            if (known != null) {
                return known.thenApply(
                        spool -> spool.page(offset, limit, options.sizes().maxPage()));
            }
            try (BoundedBody body = get(url, offset == 0)) {
                return new DatasetAnswer(datasetUid, offset, limit, options, spools).read(body);
            }
        });
    }

    /** The URL of a storage that DSM knows by an id. */
    public CompletableFuture<String> storageUrl(String storageId) {
        URI url = at("storage", storageId, "");
        return ask(storages, url, false, failing.standing("storage " + storageId, false), () -> {
            try (BoundedBody body = get(url, true)) {
                JsonNode storage = Json.mapper().readTree(body);
                if (storage == null || !storage.isObject()) {
                    throw new Transient("its answer is not a JSON object");
                }
                return CompletableFuture.completedFuture(
                        Json.readKept(Json.write(storage), StorageAnswer.class).url());
            }
        });
    }

    private <T> CompletableFuture<T> ask(
            Map<URI, Question<T>> open,
            URI url,
            boolean mayAppear,
            Question.Standing standing,
            Question.Attempt<T> attempt) {
        Question<T> own = new Question<>(url.toString(), attempt, options, mayAppear, standing, turns, clock);
        Question<T> asked = open.putIfAbsent(url, own);
        if (asked != null) {
            // A repeated question while DSM does not answer shares the answer and adds no load.
            return asked.answer().copy();
        }
        CompletableFuture<T> answer = own.answer().whenComplete((value, failure) -> open.remove(url, own));
        own.ask();
        if (closed) {
            own.giveUp();
        }
        return answer;
    }

    private URI at(String kind, String id, String query) {
        String segment = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        return URI.create(Urls.join(options.baseUrl().toString(), kind, segment) + query);
    }

    /** @param mayBeUnknown whether a thing that DSM does not know is one; otherwise it was known a moment ago */
    private BoundedBody get(URI url, boolean mayBeUnknown) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(options.timeouts().response())
                .header("Accept", "application/json")
                .build();
        HttpResponse<InputStream> response;
        try {
            response = client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException | IllegalArgumentException e) {
            // The second is of a redirect to what is no address, as of a login page while DSM restarts.
            throw new Transient(Reasons.of(e), e);
        }
        int status = response.statusCode();
        if (status == 200) {
            return new BoundedBody(response.body(), options, clock);
        }
        String detail = detail(response);
        // A page of a proxy or a gateway, while DSM restarts, says nothing about the dataset either.
        if (mayBeUnknown && (status == 404 || status == 410) && detail != null) {
            throw new DsmFailure(
                    DsmFailure.Kind.NOT_FOUND,
                    "DSM does not know " + url + " (" + status
                            + "). Check the uid, or register it at DSM, then send a new task.",
                    null);
        }
        // Also a refusal: a login page, a wrong proxy or a right taken away says nothing about the dataset.
        throw new Transient("it answered " + status + (detail == null ? "" : detail));
    }

    /**
     * The reason that a refusal gives in {@code detail} (RFC 9457), after a colon; empty if it says nothing; null when it is no JSON object, so
     * that it is not DSM who speaks. Closes the body.
     */
    private String detail(HttpResponse<InputStream> response) {
        try (BoundedBody body = new BoundedBody(response.body(), options, clock)) {
            JsonNode problem = Json.mapper().readTree(body.readNBytes(MAX_PROBLEM_BYTES));
            if (problem == null || !problem.isObject()) {
                return null;
            }
            String detail = problem.path("detail").asText("");
            return detail.isBlank() ? "" : ": " + Texts.first(detail, MAX_DETAIL_CHARS);
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    @Override
    public void close() {
        closed = true;
        sweep.cancel(false);
        clock.shutdownNow();
        workers.shutdownNow();
        clientThreads.shutdown();
        pages.values().forEach(Question::giveUp);
        storages.values().forEach(Question::giveUp);
        spools.close();
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
