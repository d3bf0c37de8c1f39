package dev.weir.bench.queue;

import dev.weir.bench.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Answers that are kept, and one question of many clients at once. */
final class AnswerSpeed {

    private static final int AT_WORK = 64;
    private static final int ROUNDS = 2;
    private static final int CLIENTS = 1_000;
    /** Of one token; the gateway lets a hundred wait. */
    private static final int OF_A_TOKEN = 50;

    private static final double GOAL = 0.8;
    private static final String QUEUE = "answers";
    private static final String KIND = "look-up";
    private static final String FRESH = "\"outcome\":\"fresh\"";

    private final WeirQueues weir;
    private final Supplier<CompletableFuture<?>> constant;
    private final Duration time;

    AnswerSpeed(WeirQueues weir, Supplier<CompletableFuture<?>> constant, Duration time) {
        this.weir = weir;
        this.constant = constant;
        this.time = time;
    }

    List<Row> measure() throws Exception {
        weir.calls.put("/queue/" + QUEUE, "{\"fresh_s\":86400}").get(1, TimeUnit.MINUTES);
        List<Row> rows = new ArrayList<>();
        rows.addAll(manyForOne());
        Supplier<CompletableFuture<?>> fresh = () -> weir.calls
                .post("/answer/" + QUEUE, question("k"))
                .thenAccept(answer -> Contender.require(answer, FRESH, 1));
        Load.closed(AT_WORK, time, fresh);
        double constants = 0;
        double answers = 0;
        for (int round = 0; round < ROUNDS; round++) {
            constants += Load.closed(AT_WORK, time, constant) / ROUNDS;
            answers += Load.closed(AT_WORK, time, fresh) / ROUNDS;
        }
        rows.add(Row.of("fresh answers", answers, "1/s"));
        rows.add(Row.atLeast("fresh answers / constants", answers / constants, GOAL, ""));
        return rows;
    }

    private static String question(String key) {
        return "{\"key\":\"" + key + "\",\"kind\":\"" + KIND + "\",\"wait_s\":5}";
    }

    private List<Row> manyForOne() throws Exception {
        List<HttpCalls> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS / OF_A_TOKEN; i++) {
            clients.add(weir.another());
        }
        long begin = System.nanoTime();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            answers.add(clients.get(i / OF_A_TOKEN).post("/answer/" + QUEUE, question("k")));
        }
        String popped =
                weir.calls.post("/queue/" + QUEUE + "/pop", "{\"wait_s\":5}").get(1, TimeUnit.MINUTES);
        String token = WeirQueues.read(popped).at("/items/0/token").asText();
        weir.calls
                .post("/queue/" + QUEUE + "/done", "{\"token\":\"" + token + "\",\"end\":\"finished\",\"result\":1}")
                .get(1, TimeUnit.MINUTES);
        for (CompletableFuture<String> answer : answers) {
            Contender.require(answer.get(1, TimeUnit.MINUTES), FRESH, 1);
        }
        double millis = (System.nanoTime() - begin) / 1e6;
        long lookUps = WeirQueues.read(weir.calls.get("/queue/" + QUEUE).get(1, TimeUnit.MINUTES))
                .path("pushed")
                .asLong();
        return List.of(
                Row.atMost("look-ups for " + CLIENTS + " clients that ask for one key", lookUps, 1, ""),
                Row.of("until all of them have the answer", millis, "ms"));
    }
}
