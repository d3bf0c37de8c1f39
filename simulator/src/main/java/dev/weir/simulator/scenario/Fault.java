package dev.weir.simulator.scenario;

/** The ways in which the simulated world misbehaves. A scenario has some of them; shrinking takes them away one by one. */
public enum Fault {
    /** A pilot vanishes and comes back later, the only one of its pool among them. */
    PILOT_CRASH,
    /** A pilot is silent for longer than its lease, and then goes on as if nothing had been. */
    PILOT_HANG,
    /** A message to Weir arrives twice. */
    DUPLICATE,
    /** A message to Weir takes long, so that later ones overtake it. */
    DELAY,
    /** The broker is away for a while: nothing moves, no pilot is heard, everything is kept. */
    BROKER_OUTAGE,
    /** The broker redelivers what was not acknowledged, reports and jobs alike, although nothing was lost. */
    BROKER_REDELIVERY,
    /** A queue of jobs is lost. */
    QUEUE_LOSS,
    /** DSM is slow or answers 5xx. */
    DSM_FAILURE,
    /** Datasets that are missing, shrink, or end early. */
    DSM_QUIRK,
    /** A checkpoint does not complete. */
    CHECKPOINT_FAILURE,
    /** Weir stops at any event and goes on from its last complete checkpoint. */
    RESTORE,
    /** Programs fail. */
    JOB_FAILURE,
    /** WFMS changes its mind: ranks, pauses, cancels, closes, retries. */
    TASK_COMMANDS,
    /** Operators change limits, pools and pilots at run time. */
    STEERING,
    /** Tasks come twice, or come again with other contents. */
    TASK_REPEAT,
    /** Messages that break the protocol. */
    GARBAGE,
    /** Nodes at which much fails by the system's fault; and pilots share nodes. */
    BAD_NODES,
    /** The clock of Weir's machine is set to a wrong time, and back. */
    CLOCK_STEP
}
