package io.chimera.processor.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The operators' page has the commands that the store executes. */
final class PostgresDocTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "")).resolve("../docs/postgresql.md");

    @Test
    void thePageCreatesTheTablesOfTheStore() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(new PostgresTables("public").create())
                .allSatisfy(command -> assertThat(page).contains(command.replace("\"public\"", "public") + ";"));
    }
}
