package io.chimera.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.chimera.common.metrics.CounterDescriptor;
import io.chimera.common.metrics.MetricDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of metrics in docs/operations/monitor.md matches the enums. */
final class OperationsDocTest {
    private static final String REWRITE = "mvn -q -pl chimera-rules -am test -Dtest=OperationsDocTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dchimera.write-docs=true";

    private static final String BEGIN = "<!-- metrics: written from the enums by OperationsDocTest -->\n";
    private static final String END = "<!-- end of metrics -->\n";

    /**
     * Enums found in the class files, so that none can be forgotten; {@link ArchitectureTest} checks that no other
     * package has metric enums.
     */
    private static final List<JavaClass> ENUMS = new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages(ArchitectureTest.METRICS)
                    .stream()
                    .filter(type -> type.isAssignableTo(MetricDescriptor.class) && type.isEnum())
                    .toList();

    private static final Path FILE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("docs/operations/monitor.md");

    @Test
    void listsEveryMetric() throws IOException {
        String text = Files.readString(FILE, StandardCharsets.UTF_8);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        String expected = text.substring(0, begin) + table() + text.substring(end);
        if (Boolean.getBoolean("chimera.write-docs")) {
            Files.writeString(FILE, expected, StandardCharsets.UTF_8);
            text = expected;
        }

        assertThat(text)
                .as("docs/operations/monitor.md is out of date; rewrite it with: %s", REWRITE)
                .isEqualTo(expected);
    }

    @Test
    void namesEachMetricOnce() {
        assertThat(descriptors().map(MetricDescriptor::metricName))
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(100);
    }

    private static String table() {
        Map<String, String> rows = new TreeMap<>();
        descriptors().forEach(metric -> {
            boolean counter = metric instanceof CounterDescriptor;
            rows.put(
                    metric.metricName(),
                    "| `" + metric.metricName() + (counter ? "_total` | counter | " : "` | gauge | ")
                            + metric.help().replace("|", "\\|") + " |\n");
        });
        return "| name | kind | meaning |\n|---|---|---|\n" + String.join("", rows.values());
    }

    private static Stream<MetricDescriptor> descriptors() {
        return ENUMS.stream()
                .flatMap(type -> Arrays.stream(type.reflect().getEnumConstants()))
                .map(MetricDescriptor.class::cast);
    }
}
