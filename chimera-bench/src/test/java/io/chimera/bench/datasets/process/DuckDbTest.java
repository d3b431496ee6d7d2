package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DuckDbTest {
    @TempDir
    private Path peer;

    private Path libraries;

    @BeforeEach
    void prepare() throws IOException {
        libraries = Files.createDirectories(peer.resolve("target/lib"));
    }

    @Test
    void theExtensionHasTheVersionOfTheLibrary() throws IOException {
        Files.createFile(libraries.resolve("other-2.0.jar"));
        Files.createFile(libraries.resolve("duckdb_jdbc-1.5.0.0.jar"));

        assertThat(DuckDb.extension(peer)).isEqualTo(peer.resolve("httpfs-1.5.0.0/httpfs.duckdb_extension"));
    }

    @Test
    void aMissingLibraryIsAFailureWithARemedy() {
        assertThatThrownBy(() -> DuckDb.extension(peer))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("DuckDB", "delete");
    }
}
