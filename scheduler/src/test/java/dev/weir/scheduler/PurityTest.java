package dev.weir.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.weir.engine.PurityRules;
import org.junit.jupiter.api.Test;

/** The core stays what it is: plain Java that decides, and nothing else. */
class PurityTest extends PurityRules {

    PurityTest() {
        super("dev.weir.scheduler");
    }

    /** Parts get the parts that they call, so that the rule about circles sees each call. */
    @Test
    void noSharedObjectHandsOutTheParts() {
        noClasses()
                .that()
                .resideInAnyPackage("..model..", "..state..", "dev.weir.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..task..", "..job..", "..pilot..", "..command..", "..view..")
                .check(core());
    }
}
