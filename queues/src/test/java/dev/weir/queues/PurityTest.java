package dev.weir.queues;

import dev.weir.engine.PurityRules;

/** The core of the queues is plain Java that decides, and nothing else. */
class PurityTest extends PurityRules {

    PurityTest() {
        super("dev.weir.queues");
    }
}
