package io.chimera.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The version numbers in docs/compatibility.md equal the constants of the code. */
final class CompatibilityDocTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Pattern ROW = Pattern.compile("(?m)^\\| [^|]+ \\| (\\d+) \\| `(\\w+)\\.(\\w+)` \\|");

    @Test
    void namesTheNumbersOfTheCode() throws IOException {
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/compatibility.md")));
        int rows = 0;
        while (row.find()) {
            assertThat(source(row.group(2)))
                    .as("%s.%s", row.group(2), row.group(3))
                    .containsPattern("\\b" + row.group(3) + " = " + row.group(1) + ";");
            rows++;
        }
        assertThat(rows).isGreaterThan(5);
    }

    private static String source(String className) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 12)) {
            Path file = files.filter(path -> path.endsWith(className + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("There is no class " + className + "."));
            return Files.readString(file);
        }
    }
}
