package dev.weir.scheduler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The core stays what it is: plain Java that decides, and nothing else. */
class PurityTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.weir.scheduler");

    @Test
    void theCoreKnowsOnlyJavaAndTheProtocol() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("dev.weir.scheduler..", "dev.weir.protocol..", "java..")
                .check(CORE);
    }

    @Test
    void theCoreDoesNoInputOrOutputBeyondBytesInMemory() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..", "java.sql..")
                .check(CORE);
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.io\\.(File.*|RandomAccess.*|PrintStream|Console|Reader|Writer|.*Reader|.*Writer)")
                .check(CORE);
    }

    @Test
    void theCoreAsksNoClock() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.time.Clock.class)
                .check(CORE);
    }

    @Test
    void theCoreHasNoThreadsAndNoChance() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.util.Random.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(CORE);
    }

    @Test
    void nothingStaticCanChange() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .check(CORE);
    }

    @Test
    void whatDecidesDoesNotKnowTheLaneThatUsesIt() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..interleave..", "..limit..", "..rank..", "..backlog..", "..store..", "..options..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..lane..")
                .check(CORE);
        slices().matching("dev.weir.scheduler.(interleave|rank|options|store)..")
                .should()
                .beFreeOfCycles()
                .check(CORE);
    }
}
