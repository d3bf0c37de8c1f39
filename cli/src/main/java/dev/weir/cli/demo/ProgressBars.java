package dev.weir.cli.demo;

import dev.weir.cli.console.ConsoleWidth;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import me.tongfei.progressbar.InteractiveConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** One bar per task, each on its own line. */
final class ProgressBars implements ProgressView {

    private static final int NAME_WIDTH = 25;
    private static final int UPDATE_MILLIS = 200;

    private final PrintStream out;
    private final ConsoleWidth width = new ConsoleWidth();
    private final Map<String, ProgressBar> bars = new LinkedHashMap<>();

    ProgressBars(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(List<Progress> tasks) {
        for (Progress progress : tasks) {
            bars.computeIfAbsent(progress.task().uid(), uid -> bar(progress.task()))
                    .stepTo(progress.ended())
                    .setExtraMessage(" " + progress.word());
        }
    }

    private ProgressBar bar(DemoTask task) {
        String name = task.name() + (task.isGpu() ? " (GPU)" : "") + ", rank " + task.weight();
        return new ProgressBarBuilder()
                .setTaskName(String.format("%-" + NAME_WIDTH + "s", name))
                .setInitialMax(task.jobs())
                .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                .setUpdateIntervalMillis(UPDATE_MILLIS)
                .hideEta()
                .setConsumer(new InteractiveConsoleProgressBarConsumer(out) {
                    @Override
                    public int getMaxRenderedLength() {
                        return width.columns();
                    }
                })
                .build();
    }

    @Override
    public void close() {
        bars.values().forEach(ProgressBar::close);
        width.close();
        out.println();
    }
}
