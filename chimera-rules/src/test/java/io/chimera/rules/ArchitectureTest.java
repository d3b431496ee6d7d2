package io.chimera.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toSet;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.LocationProvider;
import com.tngtech.archunit.lang.ArchRule;
import io.chimera.common.metrics.MetricDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks the dependency directions of docs/architecture.md over the main classes of all modules. A rule also holds for
 * future packages. Rules about source files are in {@link SourceTreeTest}.
 */
@AnalyzeClasses(locations = ArchitectureTest.MainClasses.class)
final class ArchitectureTest {

    /** Surefire sets basedir to the module's folder; other runners start tests there. */
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final String API = "io.chimera.api..";
    private static final String COMMON = "io.chimera.common..";
    private static final String QUEUE = "io.chimera.queue..";
    private static final String PROCESSOR = "io.chimera.processor..";
    private static final String COORDINATOR = "io.chimera.coordinator..";
    private static final String NATIVE = "io.chimera.jni..";
    private static final String FLOW = "io.chimera.flow..";
    private static final String ARCHIVE = "io.chimera.archive..";
    private static final String DATASET = "io.chimera.dataset..";
    private static final String APPS = "io.chimera.apps..";
    private static final String FORENSICS = "io.chimera.apps.forensics..";
    private static final String TESTKIT = "io.chimera.testkit..";
    private static final String NODE = "io.chimera.node..";
    private static final String BENCH = "io.chimera.bench..";
    private static final String FAULTS = "io.chimera.faults..";

    /** Packages of the enums for metrics. */
    static final String[] METRICS = {"io.chimera.common.metrics", "io.chimera.common.error"};

    /** JDK classes, and the default package: ArchUnit puts the primitive types there. */
    private static final String[] JDK = {"", "java..", "javax..", "jdk..", "sun..", "com.sun.."};

    /**
     * Stages of each tier. The tier's own package, with the node class that wires the stages, may import all of them.
     */
    private static final Map<String, List<String>> STAGES = Map.of(
            "io.chimera.queue", List.of("source", "parser", "journal", "dispatch", "replay", "replication"),
            "io.chimera.flow", List.of("packet", "table", "ipfix", "capture"),
            "io.chimera.processor", List.of("extractor", "staging", "flusher", "store"),
            "io.chimera.archive", List.of("streamfs", "index", "query", "distributed", "server"));

    /** Replay reads the journal, and replication copies it. Flows are counted, sent and received. Queries search. */
    private static final Set<String> SIBLINGS_ALLOWED = Set.of(
            "replay -> journal",
            "replication -> journal",
            "table -> packet",
            "ipfix -> table",
            "ipfix -> packet",
            "capture -> packet",
            "capture -> table",
            "index -> streamfs",
            "query -> streamfs",
            "query -> index",
            "distributed -> index",
            "distributed -> query",
            "server -> streamfs",
            "server -> index",
            "server -> query",
            "server -> distributed");

    private static final List<String> COMMON_PACKAGES = List.of(
            "wire",
            "ring",
            "channel",
            "cluster",
            "agent",
            "config",
            "metrics",
            "error",
            "composition",
            "plugin",
            "row",
            "access",
            "security",
            "identity",
            "letters");

    /** Annotations for all modules. */
    private static final String NULLNESS = "org.jspecify.annotations..";

    /** Libraries for all modules except chimera-api; chimera-api may use only the JDK and the annotations. */
    private static final String[] GROUND = {
        NULLNESS,
        "org.agrona..",
        "org.slf4j..",
        "com.fasterxml.jackson.core..",
        "com.fasterxml.jackson.databind..",
        "com.fasterxml.jackson.annotation.."
    };

    /** Home package of every other library. A library without a home may not be used. */
    private static final List<Home> HOMES = List.of(
            home("io.chimera.common.ring..", "com.lmax.disruptor.."),
            home("io.chimera.common.channel.netty..", "io.netty.."),
            home("io.chimera.common.wire.kryo..", "com.esotericsoftware..", "org.objenesis.."),
            home("io.chimera.common.wire..", "net.openhft.hashing.."),
            home("io.chimera.common.agent..", "net.openhft.affinity.."),
            home("io.chimera.common.metrics..", "io.prometheus.."),
            home(
                    "io.chimera.common.config..",
                    "com.fasterxml.jackson.dataformat.yaml..",
                    "org.yaml.snakeyaml..",
                    "org.apache.commons.text.."),
            home("io.chimera.common.plugin..", "org.objectweb.asm.."),
            home("io.chimera.queue.journal..", "net.openhft.chronicle..", "net.openhft.posix.."),
            home("io.chimera.queue.parser..", "ch.randelshofer.fastdoubleparser.."),
            home("io.chimera.processor.staging.sketch..", "com.datadoghq.sketch..", "org.apache.datasketches.."),
            home("io.chimera.processor.store.kairosdb..", "org.kairosdb.client..", "org.apache.http.."),
            home("io.chimera.processor.store.postgresql..", "org.postgresql.."),
            home("io.chimera.dataset.source.http..", "org.apache.hc.."),
            home("io.chimera.dataset.format.codec..", "com.github.luben.zstd..", "net.jpountz.."),
            home(
                    "io.chimera.dataset.format.parquet..",
                    "org.apache.parquet..",
                    "shaded.parquet..",
                    "io.airlift.compress.."),
            home("io.chimera.coordinator.zookeeper..", "org.apache.curator..", "org.apache.zookeeper.."),
            home("io.chimera.node.tls..", "org.bouncycastle.."),
            home("io.chimera.node..", "picocli..", "oshi..", "ch.qos.logback.."),
            home("io.chimera.faults.sim.job..", "com.google.common.jimfs.."),
            home("io.chimera.bench..", "org.openjdk.jmh..", "org.HdrHistogram.."));

    // Directions between modules

    @ArchTest
    static final ArchRule apiSeesOnlyTheJdk = classes()
            .that()
            .resideInAPackage(API)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(API, NULLNESS).or(resideInAnyPackage(JDK)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule metricsAreDescribedInCommon = classes()
            .that()
            .areAssignableTo(MetricDescriptor.class)
            .should()
            .resideInAnyPackage(METRICS)
            .because("OperationsDocTest, which writes the table of all metrics, looks there");

    @ArchTest
    static final ArchRule commonSeesOnlyApi = seesOfOurs(COMMON, API);

    @ArchTest
    static final ArchRule nativeSeesOnlyApi = seesOfOurs(NATIVE, API);

    @ArchTest
    static final ArchRule flowSeesNoTier = seesOfOurs(FLOW, API, COMMON, NATIVE);

    @ArchTest
    static final ArchRule queueSeesNoOtherTier = seesOfOurs(QUEUE, API, COMMON, NATIVE, FLOW);

    @ArchTest
    static final ArchRule processorSeesNoOtherTier = seesOfOurs(PROCESSOR, API, COMMON);

    /** A job aggregates and stores like a processor, and reads the packets of captures. */
    @ArchTest
    static final ArchRule dataSetsSeeOnlyTheProcessorAndPackets =
            seesOfOurs(DATASET, API, COMMON, PROCESSOR, NATIVE, FLOW);

    @ArchTest
    static final ArchRule nothingSeesDataSetsButTheCommands = seenOnlyBy(DATASET, NODE, BENCH, FAULTS);

    @ArchTest
    static final ArchRule coordinatorSeesNoOtherTier = seesOfOurs(COORDINATOR, API, COMMON);

    @ArchTest
    static final ArchRule archiveSeesNoTier = seesOfOurs(ARCHIVE, API, COMMON, NATIVE, FLOW);

    @ArchTest
    static final ArchRule testkitSeesOnlyCommon = seesOfOurs(TESTKIT, API, COMMON);

    /** The investigation is a client of the archive and generates captures; the other applications are plugins. */
    @ArchTest
    static final ArchRule applicationsSeeOnlyApiAndArchive = seesOfOurs(APPS, API, ARCHIVE, COMMON, NATIVE);

    @ArchTest
    static final ArchRule pluginsSeeOnlyApi = classes()
            .that()
            .resideInAPackage(APPS)
            .and()
            .resideOutsideOfPackage(FORENSICS)
            .should()
            .onlyDependOnClassesThat(not(resideInAPackage("io.chimera..")).or(resideInAnyPackage(API, APPS)))
            .because("they are written like the plugins of users");

    @ArchTest
    static final ArchRule nothingSeesAppsButTheCommands = seenOnlyBy(APPS, NODE, BENCH, FAULTS);

    @ArchTest
    static final ArchRule nothingSeesNodeButItsMeasurements = seenOnlyBy(NODE, BENCH, FAULTS);

    @ArchTest
    static final ArchRule nothingSeesTestkitButTheSimulation = seenOnlyBy(TESTKIT, FAULTS);

    @ArchTest
    static final ArchRule nothingSeesBench = seenOnlyBy(BENCH);

    @ArchTest
    static final ArchRule nothingSeesFaults = seenOnlyBy(FAULTS);

    // Packages

    @ArchTest
    static final ArchRule commonIsAClosedList = classes()
            .that()
            .resideInAPackage(COMMON)
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .resideInAnyPackage(COMMON_PACKAGES.stream()
                    .map(name -> "io.chimera.common." + name + "..")
                    .toArray(String[]::new))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesAreNamedForWhatTheyDo = noClasses()
            .should()
            .resideInAnyPackage("..util..", "..utils..", "..misc..", "..helper..", "..helpers..")
            .allowEmptyShould(true);

    @ArchTest
    static void siblingStagesDoNotSeeEachOther(JavaClasses ours) {
        STAGES.forEach((tier, stages) -> stages.forEach(stage -> {
            String[] siblings = stages.stream()
                    .filter(other -> !other.equals(stage) && !SIBLINGS_ALLOWED.contains(stage + " -> " + other))
                    .map(other -> tier + "." + other + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(tier + "." + stage + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(siblings)
                    .because("sibling stages meet only in the node class of " + tier)
                    .check(ours);
        }));
    }

    // Libraries

    @ArchTest
    static void eachLibraryIsUsedInItsHomeOnly(JavaClasses ours) {
        for (Home home : HOMES) {
            noClasses()
                    .that()
                    .resideOutsideOfPackages(home.of(), BENCH, FAULTS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(home.libraries().toArray(String[]::new))
                    .because("the one home of " + String.join(", ", home.libraries()) + " is " + home.of())
                    .allowEmptyShould(true)
                    .check(ours);
        }
    }

    @ArchTest
    static final ArchRule noLibraryWithoutAHome = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(Stream.of(
                            Stream.of("io.chimera.."),
                            Stream.of(JDK),
                            Stream.of(GROUND),
                            HOMES.stream().flatMap(home -> home.libraries().stream()))
                    .flatMap(packages -> packages)
                    .toArray(String[]::new)))
            .because("a library is used only after it got a home in this test")
            .allowEmptyShould(true);

    // Time, chance and serialization

    @ArchTest
    static final ArchRule timeAndChanceComeFromTheAgentPackage = classes()
            .that(not(resideInAnyPackage("io.chimera.common.agent..", NODE, BENCH, "io.chimera.faults.chaos..")))
            .and()
            .doNotHaveSimpleName("SimCommand")
            .should(CodeConditions.notAskForTimeOrChance())
            .because("time and randomness arrive through the constructor, so that a simulation can repeat a run")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nobodyUsesJavaSerialization = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.ObjectInputStream")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.io.ObjectOutputStream")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nobodyDeclaresToBeSerializable =
            classes().should(CodeConditions.notDeclareToBeSerializable()).allowEmptyShould(true);

    private static ArchRule seenOnlyBy(String module, String... others) {
        List<String> seeing = new ArrayList<>(List.of(others));
        seeing.add(module);
        return noClasses()
                .that()
                .resideOutsideOfPackages(seeing.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(module);
    }

    private static ArchRule seesOfOurs(String module, String... others) {
        List<String> seen = new ArrayList<>(List.of(others));
        seen.add(module);
        return classes()
                .that()
                .resideInAPackage(module)
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAPackage("io.chimera..")).or(resideInAnyPackage(seen.toArray(String[]::new))))
                .allowEmptyShould(true);
    }

    /** A package, and the library packages imported only there. */
    private record Home(String of, List<String> libraries) {}

    private static Home home(String of, String... libraries) {
        return new Home(of, List.of(libraries));
    }

    /**
     * Folders with the main classes of all modules. The stress tests are left out: they are test code in the packages
     * of the tested types, and use jcstress, which no main class may use.
     */
    static final class MainClasses implements LocationProvider {

        @Override
        public Set<Location> get(Class<?> test) {
            try (Stream<Path> modules = Files.list(ROOT)) {
                return modules.filter(module -> !module.endsWith("chimera-stress"))
                        .map(module -> module.resolve("target/classes/io/chimera"))
                        .filter(Files::isDirectory)
                        .map(Location::of)
                        .collect(toSet());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
