package org.firebirdcdc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.stream.Stream;

/**
 * Keeps the arrows between the packages pointing one way, and each room to the libraries that it needs.
 *
 * <p>A room that holds no class yet breaks no rule, hence {@code allowEmptyShould}.
 */
@AnalyzeClasses(packages = "org.firebirdcdc", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String JOURNAL = "org.firebirdcdc.journal..";
    private static final String SCHEMA = "org.firebirdcdc.schema..";
    private static final String RECORD = "org.firebirdcdc.record..";
    private static final String TRANSACTION = "org.firebirdcdc.transaction..";
    private static final String CHECKPOINT = "org.firebirdcdc.checkpoint..";
    private static final String CAPTURE = "org.firebirdcdc.capture..";
    private static final String ENVELOPE = "org.firebirdcdc.envelope..";
    private static final String CAMEL = "org.firebirdcdc.camel..";

    private static final String JACKSON = "com.fasterxml.jackson..";
    private static final String JAYBIRD = "org.firebirdsql..";
    private static final String LOGGING = "org.slf4j..";

    @ArchTest
    static final ArchRule every_class_lives_in_a_room = classes()
            .should()
            .resideInAnyPackage(JOURNAL, SCHEMA, RECORD, TRANSACTION, CHECKPOINT, CAPTURE, ENVELOPE, CAMEL)
            .because("a package without a rule would be a way around the arrows");

    @ArchTest
    static final ArchRule journal_needs_the_jdk_only = room(JOURNAL);

    @ArchTest
    static final ArchRule schema_needs_journal = room(SCHEMA, JOURNAL, JACKSON, JAYBIRD, LOGGING);

    @ArchTest
    static final ArchRule record_needs_journal_and_schema = room(RECORD, JOURNAL, SCHEMA);

    @ArchTest
    static final ArchRule transaction_needs_journal_schema_and_record =
            room(TRANSACTION, JOURNAL, SCHEMA, RECORD, LOGGING);

    @ArchTest
    static final ArchRule checkpoint_needs_journal = room(CHECKPOINT, JOURNAL, JACKSON, LOGGING);

    @ArchTest
    static final ArchRule capture_ties_the_rooms_below_it_together =
            room(CAPTURE, JOURNAL, SCHEMA, RECORD, TRANSACTION, CHECKPOINT, JACKSON, JAYBIRD, LOGGING);

    @ArchTest
    static final ArchRule envelope_needs_transaction_and_what_it_gives =
            room(ENVELOPE, JOURNAL, SCHEMA, RECORD, TRANSACTION, JACKSON, LOGGING);

    @ArchTest
    static final ArchRule only_camel_knows_camel = noClasses()
            .that()
            .resideOutsideOfPackage(CAMEL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.camel..", CAMEL)
            .because("capture is the door for those who embed the product without Camel");

    @ArchTest
    static final ArchRule only_rooms_with_a_database_know_jdbc = noClasses()
            .that()
            .resideOutsideOfPackages(SCHEMA, CAPTURE, CAMEL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", JAYBIRD);

    @ArchTest
    static final ArchRule event_forms_know_nothing_of_files = noClasses()
            .that()
            .resideInAPackage(ENVELOPE)
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.nio\\.(file|channels)\\..*|java\\.io\\.(File.*|RandomAccessFile)")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule no_reflection = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.reflect..")
            .orShould()
            .callMethod(Class.class, "forName", String.class);

    @ArchTest
    static final ArchRule no_field_injection = GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;

    @ArchTest
    static final ArchRule no_standard_streams_and_no_print_stack_trace =
            GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static final ArchRule slf4j_is_the_only_logging_facade = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.logging..", "org.apache.logging..");

    /** The room may use the JDK, itself and what is named, nothing else. */
    private static ArchRule room(String room, String... mayUse) {
        return classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(Stream.of("java..", "javax..", room), Stream.of(mayUse))
                        .toArray(String[]::new))
                .allowEmptyShould(true);
    }
}
