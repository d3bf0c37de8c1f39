package dev.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.FileInfo;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane has so many limit groups at most: what would make more waits, or is refused with the reason. */
class GroupRoomTest {

    private static final int MOST = 10;

    private final Lab lab =
            new Lab(SchedulerOptions.defaults().withLimits(LimitOptions.none().withMaxGroups(MOST)));

    private static List<FileInfo> files(int count, String prefix) {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(Lab.grouped("f" + i, prefix + i));
        }
        return files;
    }

    @Test
    void filesOfFurtherGroupsAreReadOnceThereIsRoom() {
        lab.dataset("in", files(8, "a")).task(Lab.task("t", "in").build());
        lab.dataset("in2", files(8, "b")).task(Lab.task("u", "in2").build());
        assertThat(lab.taskRows.get("u").whyText()).contains("more limit groups", "max-groups");
        assertThat(lab.jobs).hasSize(8);

        for (int i = 0; i < 40; i++) {
            lab.runAll("p").pass(60_000);
            lab.settle();
        }

        assertThat(lab.states("t")).endsWith("closed");
        assertThat(lab.states("u")).endsWith("closed");
        assertThat(lab.close("u-out").checkList()).hasSize(16);
    }

    @Test
    void aPageThatCouldNeverBeTakenFailsItsTask() {
        lab.dataset("in", files(MOST + 1, "a")).task(Lab.task("t", "in").build());

        assertThat(lab.states("t")).last().isEqualTo("failed");
        assertThat(lab.events.get(lab.events.size() - 1).reason()).contains("max-groups");
    }

    @Test
    void aTaskThatBringsSuchFilesIsRefused() {
        lab.task(Lab.task("t", "in").targets(files(MOST + 1, "a")).build());

        assertThat(lab.rejected).last().asString().startsWith("targets: ").contains("send this task again later");
        assertThat(lab.states("t")).containsExactly("rejected");
    }

    @Test
    void aLimitOnOneMoreGroupIsRefused() {
        for (int i = 0; i < MOST; i++) {
            lab.limit("g" + i, 1, null, null);
        }
        lab.limit("one more", 1, null, null);
        lab.limit("g3", 2, null, null);

        assertThat(lab.rejected).singleElement().asString().startsWith("group: there are 10 groups");
    }
}
