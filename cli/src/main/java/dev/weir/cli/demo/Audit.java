package dev.weir.cli.demo;

import dev.weir.cli.http.WholeAnswer;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares Weir's counts with DSM's catalogue of an output dataset and with the files on disk. Every input file
 * must have exactly one outcome: one existing output, or a failure with its logs.
 */
final class Audit {

    private static final int PAGE = 1000;
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 5;
    private static final Duration TAKE_IN_LIMIT = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final URI dsm;
    private final Duration answerLimit;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();

    Audit(URI dsm) {
        this(dsm, ANSWER_LIMIT);
    }

    Audit(URI dsm, Duration answerLimit) {
        this.dsm = dsm;
        this.answerLimit = answerLimit;
    }

    /**
     * The outcome of a task's files; see {@link Outcome}.
     *
     * @param closed whether its dataset is or will be closed; then DSM gets two minutes to process the registrations
     */
    Outcome of(DemoTask task, boolean closed) throws IOException, InterruptedException {
        Instant until = closed ? Instant.now().plus(TAKE_IN_LIMIT) : Instant.now();
        List<FileInfo> outputs = catalogue(task.task().datOutUid(), "", until);
        List<FileInfo> logs = catalogue(task.task().datOutUid(), "log", until);
        return outcome(task, outputs, logs, Audit::isThere);
    }

    /** Whether a catalogue entry's file exists with the size in the catalogue. */
    interface Presence {
        boolean isThere(FileInfo file) throws IOException;
    }

    static Outcome outcome(DemoTask task, List<FileInfo> outputs, List<FileInfo> logs, Presence presence)
            throws IOException {
        List<String> missing = new ArrayList<>();
        Map<String, Integer> outputsOfJob = new HashMap<>();
        for (FileInfo output : outputs) {
            if (presence.isThere(output)) {
                outputsOfJob.merge(job(output), 1, Integer::sum);
            } else {
                missing.add(output.url());
            }
        }
        Set<String> withoutOutput = new HashSet<>();
        for (FileInfo log : logs) {
            if (!presence.isThere(log)) {
                missing.add(log.url());
            } else if (!outputsOfJob.containsKey(job(log))) {
                withoutOutput.add(job(log));
            }
        }
        int finished = outputsOfJob.size();
        int failed = withoutOutput.size();
        int secondOutputs =
                outputsOfJob.values().stream().mapToInt(count -> count - 1).sum();
        int duplicates = secondOutputs + Math.max(0, finished + failed - task.jobs());
        int lost = Math.max(0, task.jobs() - finished - failed);
        return new Outcome(finished, failed, lost, duplicates, missing);
    }

    /** {@code <dataset>/<job uid>/<name>}: the directory's name. */
    private static String job(FileInfo file) {
        String directory = file.path();
        while (directory.endsWith("/")) {
            directory = directory.substring(0, directory.length() - 1);
        }
        return directory.substring(directory.lastIndexOf('/') + 1);
    }

    private static boolean isThere(FileInfo file) throws IOException {
        Path path = Path.of(URI.create(file.storageUrl()).getPath(), file.path(), file.name());
        return Files.isRegularFile(path) && (file.size() == null || Files.size(path) == file.size());
    }

    private List<FileInfo> catalogue(String dataset, String type, Instant until)
            throws IOException, InterruptedException {
        List<FileInfo> all = new ArrayList<>();
        while (true) {
            DatasetPage page = page(dataset, type, all.size(), until);
            all.addAll(page.data());
            if (page.data().isEmpty() || all.size() >= page.total()) {
                return all;
            }
        }
    }

    private DatasetPage page(String dataset, String type, int offset, Instant until)
            throws IOException, InterruptedException {
        URI address = dsm.resolve("/dataset/" + dataset + "?offset=" + offset + "&limit=" + PAGE
                + (type.isEmpty() ? "" : "&type=" + type));
        while (true) {
            HttpResponse<byte[]> answer = answer(address);
            switch (answer.statusCode()) {
                case 200 -> {
                    return Json.mapper().readValue(answer.body(), DatasetPage.class);
                }
                // Not known or not closed yet.
                case 404, 503 -> {
                    if (Instant.now().isAfter(until)) {
                        return new DatasetPage(0L, List.of());
                    }
                    Thread.sleep(PAUSE.toMillis());
                }
                default -> throw new IOException("DSM answers " + answer.statusCode() + " to " + address);
            }
        }
    }

    /** Repeats the request, because a slow answer on a busy machine must not hide the result of the demo. */
    private HttpResponse<byte[]> answer(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).build();
        for (int attempt = 1; true; attempt++) {
            try {
                return WholeAnswer.to(http, request, BodyHandlers.ofByteArray(), answerLimit);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IOException(
                            "DSM does not answer " + address + ", asked " + ATTEMPTS + " times: " + e
                                    + "; its catalogue could not be compared with the files",
                            e);
                }
                Thread.sleep(PAUSE.toMillis());
            }
        }
    }
}
