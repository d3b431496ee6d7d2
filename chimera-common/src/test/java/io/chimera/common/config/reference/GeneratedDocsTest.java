package io.chimera.common.config.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The generated documents in docs/ match the configuration records. */
final class GeneratedDocsTest {
    private static final String REWRITE =
            "mvn -q -pl chimera-common -am test -Dtest=GeneratedDocsTest -Dsurefire.failIfNoSpecifiedTests=false"
                    + " -Dchimera.write-docs=true";

    /** Docs folder; Surefire sets the folder of the module, other runners start in the folder. */
    private static final Path DOCS =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolveSibling("docs");

    @Test
    void referenceIsThatOfTheRecords() throws IOException {
        check("configuration.md", ConfigReference.markdown());
    }

    @Test
    void schemaIsThatOfTheRecords() throws IOException {
        String schema = ConfigSchema.json();

        assertThat(new ObjectMapper()
                        .readTree(schema)
                        .at("/properties/cycle/properties/every/default")
                        .asText())
                .isEqualTo("10s");
        check("chimera.schema.json", schema);
    }

    private static void check(String name, String expected) throws IOException {
        Path file = DOCS.resolve(name);
        if (Boolean.getBoolean("chimera.write-docs")) {
            Files.createDirectories(DOCS);
            Files.writeString(file, expected, StandardCharsets.UTF_8);
        }
        String found = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        assertThat(found)
                .as("docs/%s is out of date; rewrite it with: %s", name, REWRITE)
                .isEqualTo(expected);
    }
}
