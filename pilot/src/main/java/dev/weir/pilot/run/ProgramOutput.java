package dev.weir.pilot.run;

import java.util.Collection;

/** What a program makes, as the pilot sees it from outside: whether it may still change. */
interface ProgramOutput {

    /** Whether one of these processes can still write it. */
    boolean isOpenIn(Collection<ProcessHandle> processes);

    /** Equal to the state before, unless something was written in between; null while there is none. */
    Object state();
}
