package dev.weir.gateway.http;

import java.util.Map;

/** Why nothing more of a task starts now, as a sentence, also where the scheduler has none because nothing is in its way. */
final class Why {

    private Why() {}

    static String text(Map<String, Object> task) {
        Object text = task.get("why_text");
        if (text != null) {
            return text.toString();
        }
        Object reason = task.get("reason");
        String because = reason == null ? "" : ": " + reason;
        return switch (task.get("state").toString()) {
            case "closed" -> "the task is over: its dataset is closed" + because;
            case "rejected" -> "the task was rejected" + because;
            case "failed" -> "the task has failed" + because;
            case "cancelled" -> "the task is cancelled; it closes when its last jobs have ended" + because;
            case "paused" -> "the task is paused";
            default -> "nothing is in its way: its files start as its pool takes them";
        };
    }
}
