package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreAround;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Command;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.scheduler.options.AdmissionOptions;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** A store gives its entries in whatever order it likes: what a restored scheduler does must not depend on it. */
class RestoreOrderTest {

    private static final SchedulerOptions OPTIONS = SchedulerOptions.defaults()
            .withAdmission(AdmissionOptions.defaults().withMaxActiveTasks(12))
            .withAttempts(AttemptOptions.defaults().withCoolOff(Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0))
            .withPilots(PilotOptions.defaults().withSetAside(2, Duration.ofMinutes(5)))
            .withPool("cpu", PoolOptions.defaults().withWindow(120));

    /** Twenty tasks with jobs in every state, nodes set aside, drained pilots that are not there, commands that are early. */
    private static Lab busySite() {
        Lab lab = new Lab(OPTIONS);
        lab.dataset("in", 20);
        for (int i = 0; i < 20; i++) {
            lab.task(Lab.task("t" + i * 7 % 20, "in").rank(1 + i % 3).retry(3).build());
        }
        for (int i = 0; i < 10; i++) {
            lab.idle("p" + i);
        }
        for (int i = 0; i < 30; i++) {
            Job job = lab.take();
            String pilot = "p" + i % 10;
            lab.starting(pilot, job);
            if (i % 3 == 0) {
                lab.failed(pilot, job, i % 10 < 4 ? ErrorType.DISK_FULL : ErrorType.EXIT);
            } else if (i % 3 == 1) {
                lab.finished(pilot, job);
            }
            lab.now += 7;
        }
        for (int i = 0; i < 5; i++) {
            lab.pilot(Command.Type.PILOT_DRAIN, "away" + i * 3 % 5);
            lab.command(Command.Type.PAUSE, "early" + i * 3 % 5);
            lab.now += 1;
        }
        lab.pool(Command.Type.POOL_PAUSE, "cpu");
        lab.now += 5_000;
        lab.settle();
        return lab;
    }

    /** Everything that leaves from here on. */
    private static List<String> goOn(Lab lab, long seed) {
        int jobs = lab.jobs.size();
        int told = lab.notices.size();
        lab.restore(lab.store);
        lab.scheduler = new Scheduler(OPTIONS, new Shuffled(lab.store, seed));
        lab.catchUp().pool(Command.Type.POOL_RESUME, "cpu").settle();
        Map<String, Job> queued = new TreeMap<>();
        for (int i = 0; i < 600; i++) {
            Job job = lab.take();
            if (job != null && queued.putIfAbsent(job.uid(), job) == null) {
                lab.starting("q" + i, job);
                lab.finished("q" + i, job).settle();
            }
        }
        lab.pass(700_000);
        List<String> all = new ArrayList<>();
        lab.jobs.subList(jobs, lab.jobs.size()).forEach(job -> all.add(job.uid() + " " + job.attempt()));
        lab.notices.subList(told, lab.notices.size()).forEach(notice -> all.add(notice.toString()));
        all.addAll(lab.rejected);
        return all;
    }

    @Test
    void theOrderInWhichTheStoreGivesItsEntriesChangesNothing() {
        List<String> first = goOn(busySite(), 0);
        assertThat(first).hasSizeGreaterThan(100);
        for (long seed = 1; seed < 6; seed++) {
            assertThat(goOn(busySite(), seed)).as("seed " + seed).isEqualTo(first);
        }
    }

    /** Gives its entries in an order of its own. */
    private static final class Shuffled extends StoreAround {
        private final long seed;

        Shuffled(Store store, long seed) {
            super(store);
            this.seed = seed;
        }

        @Override
        public <V> void forEach(Table<V> table, BiConsumer<String, V> consumer) {
            List<Map.Entry<String, V>> entries = new ArrayList<>();
            super.forEach(table, (String key, V value) -> entries.add(Map.entry(key, value)));
            Collections.shuffle(entries, new Random(seed));
            entries.forEach(entry -> consumer.accept(entry.getKey(), entry.getValue()));
        }
    }
}
