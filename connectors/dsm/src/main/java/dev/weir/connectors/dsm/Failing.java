package dev.weir.connectors.dsm;

import java.util.LinkedHashMap;
import java.util.Map;

/** Datasets and storages that DSM did not answer for lately: questions about them wait behind others. Bounded: forgets the oldest. */
final class Failing {

    private static final int MOST = 100_000;

    private final Map<String, Boolean> things = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /**
     * @param thing a dataset or storage
     * @param answeredBefore the question continues an answer that DSM has begun
     */
    Question.Standing standing(String thing, boolean answeredBefore) {
        return new Question.Standing() {
            @Override
            public Turns.Rank rank() {
                synchronized (things) {
                    if (things.containsKey(thing)) {
                        return Turns.Rank.FAILING;
                    }
                }
                return answeredBefore ? Turns.Rank.GOES_ON : Turns.Rank.NEW;
            }

            @Override
            public void answered() {
                synchronized (things) {
                    things.remove(thing);
                }
            }

            @Override
            public void silent() {
                synchronized (things) {
                    things.put(thing, true);
                }
            }
        };
    }
}
