package io.chimera.faults.chaos.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SteppedClockTest {
    @TempDir
    Path folder;

    @Test
    void writesWhatTheLibraryReads() throws IOException {
        Path file = folder.resolve("clocks/q1");
        SteppedClock clock = SteppedClock.in(Path.of("/lib/faketime.so"), file);
        assertThat(file).hasContent("+0");

        clock.step(90);
        assertThat(file).hasContent("+90");
        clock.step(-5);
        assertThat(file).hasContent("-5");
        clock.step(0);
        assertThat(file).hasContent("+0");

        assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
        assertThat(clock.environment())
                .containsEntry("LD_PRELOAD", "/lib/faketime.so")
                .containsEntry("FAKETIME_TIMESTAMP_FILE", file.toString());
    }
}
