package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Registration;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.Cut;
import dev.weir.simulator.world.Tamper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The shell around the core lies, and the rules notice. */
class TamperTest {

    private static final int SEEDS = 200;

    @Test
    void aStoreThatLosesWritesIsFound() {
        assertFound(LosingStore::new);
    }

    @Test
    void aRegistrationThatIsMadeTwiceUnderAnotherIdIsFound() {
        assertFound(() -> new Tamper() {
            @Override
            public List<Effect> effects(List<Effect> honest) {
                return forged(honest);
            }
        });
    }

    @Test
    void aClockThatRunsTooFastIsFound() {
        assertFound(() -> new Tamper() {
            private long first;

            @Override
            public long now(long honestMillis) {
                first = first == 0 ? honestMillis : first;
                return honestMillis + 3 * (honestMillis - first);
            }
        });
    }

    @Test
    void aLostResultIsFound() {
        assertFound(() -> new Tamper() {
            private int results;

            @Override
            public Event event(Event honest) {
                boolean result = honest instanceof Event.ReportArrived arrived
                        && arrived.report() instanceof dev.weir.protocol.Result;
                return result && ++results % 20 == 0 ? new Event.Tick() : honest;
            }
        });
    }

    private static void assertFound(Supplier<Tamper> tampers) {
        for (long seed = 0; seed < SEEDS; seed++) {
            if (Simulation.run(seed, Cut.NONE, tampers.get(), null).violation() != null) {
                return;
            }
        }
        assertThat(SEEDS).as("seeds that did not notice").isZero();
    }

    private static List<Effect> forged(List<Effect> honest) {
        List<Effect> effects = new ArrayList<>();
        for (Effect effect : honest) {
            effects.add(effect);
            if (effect instanceof Effect.Register register && register.registration() instanceof Registration.File f) {
                effects.add(new Effect.Register(new Registration.File(
                        f.id() + "-again",
                        f.datasetUid(),
                        f.path(),
                        f.storageId(),
                        f.size(),
                        f.checksum(),
                        f.jobUid())));
            }
        }
        return effects;
    }

    /** Forgets every hundredth put: it shows after a restore. */
    private static final class LosingStore implements Tamper {

        private int puts;

        @Override
        public Store store(Store honest) {
            return new Store() {
                @Override
                public <V> V get(Table<V> table, String key) {
                    return honest.get(table, key);
                }

                @Override
                public <V> void put(Table<V> table, String key, V value) {
                    if (++puts % 100 != 0) {
                        honest.put(table, key, value);
                    }
                }

                @Override
                public void remove(Table<?> table, String key) {
                    honest.remove(table, key);
                }

                @Override
                public <V> void forEach(
                        Table<V> table, BiConsumer<String, V> consumer, BiConsumer<String, DamagedValue> damaged) {
                    honest.forEach(table, consumer);
                }
            };
        }
    }
}
