package dev.weir.chaos.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Faults drawn from a seed: the same arguments give the same plan, on every machine. */
public final class Plan {

    private static final int MOST_PAUSE_SECONDS = 15;
    private static final int LEAST_PAUSE_SECONDS = 3;
    /** One step in so many has two faults, and another one a fault that comes again. */
    private static final int RARITY = 5;

    private Plan() {}

    /**
     * Draws a plan.
     *
     * @param faults how many, from 1; those that come twice count twice
     * @param longest of one fault, from 1 s; half of all last a second
     * @param kinds what may happen; each happens once before any happens twice
     */
    public static List<Step> draw(long seed, int faults, Duration longest, List<Fault.Kind> kinds) {
        SplittableRandom random = new SplittableRandom(seed);
        Deck deck = new Deck(random, kinds);
        List<Step> steps = new ArrayList<>();
        int left = faults;
        while (left > 0) {
            Duration pause = Duration.ofSeconds(random.nextInt(LEAST_PAUSE_SECONDS, MOST_PAUSE_SECONDS + 1));
            List<Fault> together = new ArrayList<>(List.of(fault(deck.next(), random, longest)));
            int kind = random.nextInt(RARITY);
            if (kind == 0 && left > 1) {
                deck.nextWithout(together.get(0).target()).ifPresent(it -> together.add(fault(it, random, longest)));
            }
            boolean again = kind == 1 && left > 1 && together.get(0).how() == How.KILLED;
            Step step = new Step(steps.size() + 1, pause, together, again);
            steps.add(step);
            left -= step.size();
        }
        return List.copyOf(steps);
    }

    private static Fault fault(Fault.Kind kind, SplittableRandom random, Duration longest) {
        int most = (int) Math.max(1, longest.toSeconds());
        boolean isShort = random.nextBoolean() && kind.how() == How.KILLED;
        int seconds = isShort ? 1 : random.nextInt(Math.max(1, most / 4), most + 1);
        return new Fault(kind.target(), kind.how(), Duration.ofSeconds(seconds));
    }

    /** Kinds in random order, shuffled again when all were drawn. */
    private static final class Deck {

        private final SplittableRandom random;
        private final List<Fault.Kind> kinds;
        private final List<Fault.Kind> left = new ArrayList<>();

        Deck(SplittableRandom random, List<Fault.Kind> kinds) {
            this.random = random;
            this.kinds = kinds;
        }

        Fault.Kind next() {
            if (left.isEmpty()) {
                left.addAll(kinds);
                for (int i = left.size() - 1; i > 0; i--) {
                    Collections.swap(left, i, random.nextInt(i + 1));
                }
            }
            return left.remove(left.size() - 1);
        }

        java.util.Optional<Fault.Kind> nextWithout(Target target) {
            for (int i = left.size() - 1; i >= 0; i--) {
                if (left.get(i).target() != target) {
                    return java.util.Optional.of(left.remove(i));
                }
            }
            return java.util.Optional.empty();
        }
    }
}
