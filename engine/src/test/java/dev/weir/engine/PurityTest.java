package dev.weir.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** The engine is as pure as the cores, and knows none of them. */
class PurityTest extends PurityRules {

    PurityTest() {
        super("dev.weir.engine");
    }

    @Test
    void theEngineKnowsNeitherLimitsNorPolicies() {
        noClasses()
                .that()
                .resideInAPackage("dev.weir.engine")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("dev.weir.engine", "dev.weir.engine.store", "java..")
                .check(core());
    }

    @Test
    void nothingHereKnowsACore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("dev.weir.engine..", "dev.weir.protocol..", "com.google.re2j..", "java..")
                .check(core());
    }
}
