package io.chimera.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.model.Tlc.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks every state of the specification in {@code docs/protocol} with TLC, configuration by configuration.
 * Configurations with all rules must hold. Every configuration without one rule must violate the invariant protected by
 * the rule; otherwise the specification proves nothing.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtocolModelTest {
    private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();
    private static final boolean IS_LONG = Boolean.getBoolean("model.long");

    /**
     * Minimum number of states of all configurations expected to hold, to detect a change that makes the model trivial.
     */
    private static final long STATES_MIN = IS_LONG ? 5_000_000 : 1_000_000;

    private final Tlc tlc = new Tlc(Path.of("target", "tlc").toAbsolutePath(), Integer.getInteger("model.workers", 2));
    private final List<Outcome> outcomes = new ArrayList<>();

    static List<Configuration> configurations() throws IOException {
        return Configuration.in(DOCS.resolve("protocol")).stream()
                .filter(configuration -> IS_LONG || !configuration.isLong())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("configurations")
    void comesOutAsItsFirstLineSays(Configuration configuration) throws Exception {
        Outcome outcome = tlc.run(configuration);
        outcomes.add(outcome);
        System.out.println(line(outcome));

        assertThat(outcome.result())
                .as("what TLC finds in %s, see %s", configuration, outcome.output())
                .isEqualTo(configuration.must());
        if (configuration.mustHold() && !configuration.isLong()) {
            assertThat(document().contains(row(outcome)))
                    .as("docs/protocol.md has the row %s", row(outcome))
                    .isTrue();
        }
    }

    @Test
    void everyConfigurationIsInTheDocument() throws IOException {
        for (Configuration configuration : Configuration.in(DOCS.resolve("protocol"))) {
            String row = "| `" + configuration + "` | " + configuration.must() + " |";
            assertThat(document().contains(row))
                    .as("docs/protocol.md has a row that begins with %s", row)
                    .isTrue();
        }
    }

    @AfterAll
    void reachesEnoughStates() {
        long distinct = outcomes.stream()
                .filter(outcome -> outcome.configuration().mustHold())
                .mapToLong(Outcome::distinct)
                .sum();
        System.out.printf(Locale.ROOT, "%,d distinct states in all that holds.%n", distinct);
        assertThat(distinct).as("distinct states").isGreaterThanOrEqualTo(STATES_MIN);
    }

    private static String document() throws IOException {
        return Files.readString(DOCS.resolve("protocol.md"));
    }

    /**
     * Table row of a configuration that holds, as in the document; the number of states depends only on the
     * specification.
     */
    private static String row(Outcome outcome) {
        return String.format(
                Locale.ROOT, "| `%s` | %s | %,d |", outcome.configuration(), outcome.result(), outcome.distinct());
    }

    private static String line(Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "%-32s %-13s %,11d distinct states, %,12d generated, depth %3d, %5d s",
                outcome.configuration(),
                outcome.result(),
                outcome.distinct(),
                outcome.generated(),
                outcome.depth(),
                outcome.seconds());
    }
}
