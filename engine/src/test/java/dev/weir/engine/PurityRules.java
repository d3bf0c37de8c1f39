package dev.weir.engine;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every core and the engine under it are: plain Java that decides, and nothing else. */
public abstract class PurityRules {

    private static final String BYTES_IN_MEMORY =
            "java\\.io\\.(ByteArray.*|Data(In|Out)put.*|.*Exception|Serializable|(In|Out)putStream)";

    private final String root;
    private final JavaClasses core;

    /** @param root the package of the core, with those below it */
    protected PurityRules(String root) {
        this.root = root;
        core = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(root);
    }

    /** The classes that the rules are about. */
    protected final JavaClasses core() {
        return core;
    }

    @Test
    void theCoreKnowsOnlyJavaTheProtocolAndCollections() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        root + "..",
                        "dev.weir.engine..",
                        "dev.weir.protocol..",
                        "com.google.re2j..",
                        "it.unimi.dsi.fastutil..",
                        "java..")
                .check(core);
    }

    /** Java's own matcher goes into itself for each character of some patterns, and takes exponential time for others. */
    @Test
    void theCoreMatchesInLinearTime() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.regex..")
                .check(core);
    }

    @Test
    void theCoreDoesNoInputOrOutputBeyondBytesInMemory() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..", "java.sql..")
                .check(core);
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("java.io..").and(not(nameMatching(BYTES_IN_MEMORY))))
                .orShould()
                .accessTargetWhere(targetOwner(nameMatching("java\\.lang\\.(Runtime|ProcessBuilder)"))
                        .or(targetOwner(type(System.class)).and(target(nameMatching("out|err|in")))))
                .check(core);
    }

    @Test
    void theCoreAsksNoClock() {
        noClasses()
                .should()
                .accessTargetWhere(targetOwner(type(System.class))
                        .and(target(nameMatching("currentTimeMillis|nanoTime")))
                        .or(targetOwner(resideInAPackage("java.time..")).and(target(name("now")))))
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.time.Clock.class)
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|.*Calendar|Timer.*)")
                .check(core);
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
                .check(core);
    }

    @Test
    void nothingStaticCanChange() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .check(core);
        fields().that().areStatic().should(holdNoChangeableCollection()).check(core);
    }

    /** Every package of the module is a slice, the one of the entry class included. */
    @Test
    void noPackagesDependOnEachOtherInACircle() {
        slices().matching("dev.weir.(" + root.substring("dev.weir.".length()) + "..)")
                .namingSlices("$1")
                .should()
                .beFreeOfCycles()
                .check(core);
    }

    private static ArchCondition<JavaField> holdNoChangeableCollection() {
        return new ArchCondition<>("hold no changeable collection") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                Object value = valueOf(field);
                // List.of, Set.of and Map.of make classes of ImmutableCollections; the wrappers of Collections are
                // named Unmodifiable.
                boolean changeable = (value instanceof Collection || value instanceof Map)
                        && !value.getClass().getName().matches(".*(Immutable|Unmodifiable|Empty).*");
                events.add(new SimpleConditionEvent(field, !changeable, field.getFullName() + " holds " + value));
            }
        };
    }

    private static Object valueOf(JavaField field) {
        try {
            Field reflected = field.reflect();
            reflected.setAccessible(true);
            return reflected.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field.getFullName() + " cannot be read", e);
        }
    }
}
