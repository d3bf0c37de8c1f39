package dev.weir.simulator.invariant;

/** Something is not as it must be. */
public final class Violation extends RuntimeException {

    private final String rule;

    public Violation(String rule, String what) {
        this(rule, what, null);
    }

    public Violation(String rule, String what, Throwable cause) {
        super(rule + ": " + what, cause);
        this.rule = rule;
    }

    /** The sentence that does not hold. */
    public String rule() {
        return rule;
    }

    /** The same with the time and the number of the event at which it was seen. */
    public Violation at(long millis, long event) {
        return new Violation(rule, String.format("%s [at %.3f s, event %d]", what(), millis / 1000.0, event), this);
    }

    private String what() {
        return getMessage().substring(rule.length() + 2);
    }

    public static void check(boolean holds, String rule, Object... what) {
        if (!holds) {
            StringBuilder text = new StringBuilder();
            for (Object part : what) {
                text.append(part).append(' ');
            }
            throw new Violation(rule, text.toString().trim());
        }
    }
}
