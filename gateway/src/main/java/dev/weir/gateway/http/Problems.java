package dev.weir.gateway.http;

import dev.weir.gateway.mirror.Findings;
import dev.weir.protocol.Urls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What is wrong, in words, the worst first, each with what to do. */
final class Problems {

    /** Eight heartbeats. Longer than the default lease: within it the scheduler writes a row of each pilot, or that it is lost. */
    private static final Duration SILENT = Duration.ofMinutes(2);

    private static final String PILOT = "./weir pilot --gateway ADDRESS --token-file FILE --executables DIR --pool ";

    private static final Set<String> NORMAL = Set.of("slot", "window", "page", "cooling", "pilots", "pool");
    private static final Set<String> SERIOUS = Set.of("aside", "storage");

    private final List<Problem> found = new ArrayList<>();

    private Problems() {}

    /**
     * A problem.
     *
     * @param severity error: jobs fail or nothing goes on; warning: somebody wanted it so, or it may become an error
     * @param advice what to do
     * @param task whose page says more; null for none, as pool
     * @param why of the tasks that it is about, or rejected when it is about rejected messages; null for none
     */
    record Problem(String severity, String text, String advice, String task, String pool, String why, String pilots) {}

    static List<Problem> of(
            Findings findings,
            Instant newest,
            List<Map<String, Object>> pools,
            OptionalLong rejected,
            Optional<String> brokerAway,
            Optional<String> brokerAlarm,
            Instant now) {
        Problems problems = new Problems();
        brokerAway.ifPresent(why -> problems.error(
                "The gateway cannot reach the broker: " + why,
                "Start RabbitMQ, or look at the gateway's log. What this page shows may be old, and no action works."));
        brokerAlarm.ifPresent(why -> problems.error(
                "The broker has an alarm and takes no messages: " + why,
                "Make room for it; rabbitmq-diagnostics alarms says on which node. What this page shows may be old, and until"
                        + " then nothing can be sent."));
        problems.silence(newest, pools, now);
        pools.forEach(pool -> problems.pool(pool, findings));
        findings.failing().forEach(problems::failing);
        problems.furtherFailing(findings.failing());
        findings.endedBadly().forEach(problems::endedBadly);
        problems.furtherEndedBadly(findings.endedBadly());
        findings.waits().forEach(problems::waiting);
        findings.asidePilots().forEach(problems::aside);
        rejected.ifPresent(problems::rejected);
        problems.found.sort(Comparator.comparing(Problem::severity));
        return problems.found;
    }

    private void error(String text, String advice) {
        found.add(new Problem("error", text, advice, null, null, null, null));
    }

    private void silence(Instant newest, List<Map<String, Object>> pools, Instant now) {
        long heard = pools.stream().mapToLong(Pools::pilotsHeard).sum();
        if (newest != null && heard > 0 && newest.isBefore(now.minus(SILENT))) {
            error(
                    "Nothing was heard of the scheduler for "
                            + Duration.between(newest, now).toMinutes() + " minutes, although " + heard
                            + " pilots should report",
                    "See whether Weir's two jobs run (Flink's page), and whether queue weir.mirror grows. What this page"
                            + " shows is as old.");
        }
    }

    private void pool(Map<String, Object> pool, Findings findings) {
        String name = (String) pool.get("name");
        List<Map<String, Object>> waits = findings.waits();
        long heard = Pools.pilotsHeard(pool);
        long left = Pools.jobsToBegin(pool);
        long lost = Pools.number(pool, "pilots", "lost");
        boolean needsPilots = left > 0 || waitsForPilots(name, waits);
        if (heard == 0 && needsPilots) {
            found.add(new Problem(
                    "error",
                    "Pool " + name + " has no pilot" + (lost == 0 ? "" : " any more, " + lost + " are lost") + ", and "
                            + jobsWait(left),
                    "Start pilots for it, on any node: " + PILOT + name,
                    null,
                    name,
                    null,
                    lost == 0 ? null : "lost"));
        } else if (Pools.onlyDrains(pool) && needsPilots) {
            found.add(new Problem(
                    "error",
                    (heard == 1
                                    ? "The only pilot of pool " + name + " takes"
                                    : "All " + heard + " pilots of pool " + name + " take")
                            + " no more jobs, and " + jobsWait(left),
                    "Include pilots that are drained or excluded, or start others: " + PILOT + name,
                    null,
                    name,
                    null,
                    null));
        }
        if (heard > 0 || !needsPilots) {
            findings.lostPilots().stream()
                    .filter(row -> name.equals(row.get("pool")))
                    .forEach(row -> lost(name, ((Number) row.get("pilots")).longValue(), heard));
        }
        waits.stream()
                .filter(wait -> "pool".equals(wait.get("why")) && name.equals(wait.get("pool")))
                .findFirst()
                .ifPresent(wait -> found.add(new Problem(
                        "warning",
                        capital(text(wait)) + ", and " + tasks(wait) + " of it wait",
                        "Resume the pool when its tasks shall go on.",
                        null,
                        name,
                        "pool",
                        null)));
    }

    private static String jobsWait(long jobs) {
        return jobs == 1 ? "1 job waits" : jobs + " jobs wait";
    }

    private void lost(String pool, long pilots, long heard) {
        found.add(new Problem(
                "warning",
                pilots + " of " + (heard + pilots) + " pilots of pool " + pool + " were lost within the last hour",
                heard == 0
                        ? "No pilot serves the pool now. See whether their nodes run."
                        : "Their jobs start again elsewhere. See whether their nodes run.",
                null,
                pool,
                null,
                "lost"));
    }

    private static boolean waitsForPilots(String pool, List<Map<String, Object>> waits) {
        return waits.stream().anyMatch(wait -> "pilots".equals(wait.get("why")) && pool.equals(wait.get("pool")));
    }

    private void failing(Map<String, Object> task) {
        Object reason = task.get("reason");
        found.add(new Problem(
                "error",
                "Jobs of task " + task.get("uid") + " fail: " + task.get("failed") + " of " + task.get("ended")
                        + " that ended" + (reason == null ? "" : ". " + capital(shown(reason))),
                "Look at its failures and their logs; retry them when the cause is gone, or cancel the task.",
                (String) task.get("uid"),
                null,
                null,
                null));
    }

    private void furtherFailing(List<Map<String, Object>> shown) {
        long further = further(shown);
        if (further > 0) {
            error("Jobs of " + further + " further open tasks fail", "Those with the most failures are above.");
        }
    }

    private static long further(List<Map<String, Object>> shown) {
        return shown.isEmpty() ? 0 : ((Number) shown.get(0).get("total")).longValue() - shown.size();
    }

    private void furtherEndedBadly(List<Map<String, Object>> shown) {
        long further = further(shown);
        if (further > 0) {
            found.add(new Problem(
                    "warning",
                    further + (further == 1 ? " further task" : " further tasks") + " ended badly within the last hour",
                    "The newest are above. The list of tasks shows those that failed or were rejected.",
                    null,
                    null,
                    null,
                    null));
        }
    }

    private void endedBadly(Map<String, Object> task) {
        Object reason = task.get("reason");
        String how = switch ((String) task.get("state")) {
            case "failed" -> " failed";
            case "rejected" -> " was rejected";
            default -> " ended with " + task.get("failed") + " of " + task.get("jobs") + " jobs failed";
        };
        found.add(new Problem(
                "warning",
                "Task " + task.get("uid") + how + " within the last hour"
                        + (reason == null ? "" : ": " + shown(reason)),
                "Look at its failures. When the cause is gone, send another task for what is missing.",
                (String) task.get("uid"),
                null,
                null,
                null));
    }

    private void waiting(Map<String, Object> wait) {
        String why = (String) wait.get("why");
        boolean troubled = why.equals("page") && text(wait).endsWith(Findings.ASKS_AGAIN);
        if (NORMAL.contains(why) && !troubled) {
            return;
        }
        boolean one = ((Number) wait.get("tasks")).longValue() == 1;
        String pool = (String) wait.get("pool");
        found.add(new Problem(
                SERIOUS.contains(why) || troubled ? "error" : "warning",
                one
                        ? "Task " + wait.get("uid") + " starts nothing more: " + text(wait)
                        : tasks(wait) + (pool == null ? "" : " of pool " + pool) + " start nothing more, for example "
                                + wait.get("uid") + ": " + text(wait),
                advice(why),
                one ? (String) wait.get("uid") : null,
                one ? null : pool,
                why,
                null));
    }

    private static String advice(String why) {
        return switch (why) {
            case "aside" -> "This is a fault of Weir. Report it with its log; resuming the task tries again.";
            case "storage" -> "See whether the storage can be reached from the nodes of the pilots.";
            case "page" -> "See whether DSM runs, and whether it knows the dataset.";
            case "paused" -> "Resume it when it shall go on.";
            case "kept" -> "Mend what its jobs failed of and try them again, or close the task.";
            case "group" -> "The limit of the group holds it back; an operator can raise it.";
            default -> "The page of the task says more.";
        };
    }

    private void aside(Map<String, Object> row) {
        long pilots = ((Number) row.get("pilots")).longValue();
        found.add(new Problem(
                "warning",
                (pilots == 1
                                ? "Pilot " + row.get("pilot_id") + " gets"
                                : pilots + " pilots of pool " + row.get("pool") + " get")
                        + " no jobs for some time, because its jobs failed often",
                "Look at the failures of their jobs; include the pilots when their nodes are repaired.",
                null,
                (String) row.get("pool"),
                null,
                "aside"));
    }

    private void rejected(long messages) {
        if (messages > 0) {
            found.add(new Problem(
                    "warning",
                    messages == 1 ? "1 message was rejected" : messages + " messages were rejected",
                    "Look at why; send them again when they are right, or drop them.",
                    null,
                    null,
                    "rejected",
                    null));
        }
    }

    private static String tasks(Map<String, Object> wait) {
        long tasks = ((Number) wait.get("tasks")).longValue();
        return tasks + (tasks == 1 ? " task" : " tasks");
    }

    private static String text(Map<String, Object> wait) {
        return wait.get("text") == null ? "no reason is known" : shown(wait.get("text"));
    }

    private static String shown(Object text) {
        return Urls.withoutSecrets(text.toString());
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
