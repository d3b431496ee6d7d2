package io.chimera.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {
    @TempDir
    Path folder;

    @Test
    void aLibraryThatCannotBeLoadedIsNamedWithTheRemedy() {
        assertThat(NativeLibrary.load("/nowhere/libchimera.so"))
                .contains("/nowhere/libchimera.so")
                .contains("-Dchimera.native.path");
        assertThat(NativeLibrary.load(folder.toString()))
                .contains(folder.resolve("libchimera.so").toString())
                .contains("-Dchimera.native.path");
    }
}
