package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adjustable wall clock of a process: libfaketime intercepts the C library's clock of the process, and reads the offset
 * from a file every second. The monotonic clock (CLOCK_MONOTONIC) is unchanged, like during a step of a machine's
 * clock. The host's clock is never touched. One thread.
 */
public final class SteppedClock {
    /** Paths of the library in Debian and other distributions. */
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path file;

    private SteppedClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Returns the library, if installed. */
    public static Optional<Path> library() {
        return LIBRARIES.stream().filter(Files::isReadable).findFirst();
    }

    /** Creates a clock without offset. */
    static SteppedClock in(Path library, Path file) {
        SteppedClock clock = new SteppedClock(library, file);
        clock.step(0);
        return clock;
    }

    /** Creates a clock without offset, if the library is installed. */
    public static Optional<SteppedClock> at(Path file) {
        return library().map(found -> in(found, file));
    }

    /** Returns the environment variables of a process with this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // libfaketime's fix for waits on the monotonic clock would make waits of this C library return at once
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1");
    }

    /** Sets the offset from the true time; negative for a clock that is late. Takes effect within a second. */
    public void step(long seconds) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(next, (seconds < 0 ? "" : "+") + seconds + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot step the clock " + file + ": " + e.getMessage() + ".", e);
        }
    }
}
