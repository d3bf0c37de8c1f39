package dev.weir.chaos.world;

import dev.weir.chaos.plan.How;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** Processes that are killed and started again, or stopped for a while. */
final class ProcessVictim implements Victim {

    /** Starts it again, and returns when it answers. */
    interface Start {
        void run() throws IOException, InterruptedException, SQLException;
    }

    /** Ends it without warning. */
    interface Kill {
        void run() throws IOException, InterruptedException;
    }

    private final Supplier<List<ProcessHandle>> processes;
    private final Kill kill;
    private final Start start;
    private List<ProcessHandle> paused = List.of();

    ProcessVictim(Supplier<List<ProcessHandle>> processes, Kill kill, Start start) {
        this.processes = processes;
        this.kill = kill;
        this.start = start;
    }

    @Override
    public void hit(How how) throws IOException, InterruptedException {
        if (how == How.KILLED) {
            kill.run();
        } else {
            paused = Signals.pause(processes);
        }
    }

    @Override
    public void heal(How how) throws IOException, InterruptedException, SQLException {
        if (how == How.KILLED) {
            start.run();
        } else {
            Signals.resume(paused);
            paused = List.of();
        }
    }
}
