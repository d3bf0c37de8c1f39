package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of files whose tasks choose among all theirs so many wait at most: further ones are read later, or refused with the reason. */
class FileRoomTest {

    private static final int MOST = 10;

    private final Lab lab = new Lab(SchedulerOptions.defaults()
            .withPool("cpu", PoolOptions.defaults().withWindow(2))
            .withLimits(LimitOptions.none().withMaxFilesInMemory(MOST)));

    private static List<FileInfo> files(int count, String... groups) {
        return IntStream.range(0, count)
                .mapToObj(i -> Lab.grouped("f" + i, groups))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Order.class,
            names = {"RANDOM", "PRIORITY"})
    void furtherFilesAreReadOnceThereIsRoom(Order order) {
        lab.dataset("in", 8).task(Lab.task("t", "in").order(order).build());
        lab.dataset("in2", 8).task(Lab.task("u", "in2").order(order).build());
        assertThat(lab.taskRows.get("u").why()).isEqualTo("page");
        assertThat(lab.taskRows.get("u").whyText()).contains("more than there is room for", "max-files-in-memory");
        lab.restore(lab.store.snapshot());
        for (int i = 0; i < 20; i++) {
            lab.runAll("p").pass(60_000).settle();
        }

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.states("u")).endsWith("closed");
        assertThat(lab.close("u-out").checkList()).hasSize(16);
    }

    @Test
    void roomIsNoticedWithinAMinuteHoweverLongThereWasNone() {
        lab.dataset("in", 8).task(Lab.task("t", "in").order(Order.RANDOM).build());
        lab.dataset("in2", 8).task(Lab.task("u", "in2").order(Order.RANDOM).build());
        for (int i = 0; i < 60; i++) {
            lab.pass(60_000).settle();
        }
        lab.runAll("p");

        lab.pass(60_000).settle();

        assertThat(lab.take()).isNotNull();
    }

    @Test
    void filesThatAreCancelledMakeRoom() {
        lab.dataset("in", 8).task(Lab.task("t", "in").order(Order.RANDOM).build());
        lab.command(dev.weir.protocol.Command.Type.CANCEL, "t");
        lab.dataset("in2", 8).task(Lab.task("u", "in2").order(Order.RANDOM).build());

        assertThat(lab.scheduler.lane().tasks.get("u").backlog.fresh()).isEqualTo(8);
    }

    @Test
    void aTaskInOrderReadsOnUntilItsFilesHaveGroups() {
        lab.dataset("in", 30).task(Lab.task("t", "in").build());
        assertThat(lab.scheduler.lane().tasks.get("t").progress.pageTrouble).isNull();
        lab.dataset("in2", files(MOST + 1, "g"))
                .task(Lab.task("u", "in2").chunkFiles(MOST + 1).build());

        assertThat(lab.states("u")).last().isEqualTo("failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason()).contains("max-files-in-memory");
    }

    @Test
    void aTaskThatBringsTooManyIsRefused() {
        lab.task(
                Lab.task("t", "in").order(Order.RANDOM).targets(files(MOST + 1)).build());

        assertThat(lab.rejected).last().asString().startsWith("targets: ").contains("max-files-in-memory");
        assertThat(lab.states("t")).containsExactly("rejected");
    }
}
