package dev.weir.chaos.world;

import dev.weir.chaos.plan.How;
import java.io.IOException;
import java.sql.SQLException;

/** Something that faults hit. For one thread. */
interface Victim {

    void hit(How how) throws IOException, InterruptedException;

    /** The end of the fault: returns when it runs again and answers. */
    void heal(How how) throws IOException, InterruptedException, SQLException;
}
