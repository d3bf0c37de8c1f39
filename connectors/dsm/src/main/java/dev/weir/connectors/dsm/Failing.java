package dev.weir.connectors.dsm;

import java.util.LinkedHashMap;
import java.util.Map;

/** What DSM has lately been silent about: asked for again, it waits behind what DSM answers. Forgets the oldest of very many. */
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
     * @param answeredBefore the question goes on with what DSM has begun to tell
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
