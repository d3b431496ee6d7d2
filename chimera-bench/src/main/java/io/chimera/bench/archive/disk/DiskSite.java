package io.chimera.bench.archive.disk;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.jni.stream.FreeSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Where a disk is measured, and how much of it.
 *
 * @param home where Chimera lies
 * @param folder takes the file behind the loop device
 * @param isQuick whether it is to be short
 * @param log hears how far it is
 */
public record DiskSite(ChimeraHome home, Path folder, boolean isQuick, Consumer<String> log) {
    static final long MIB = 1L << 20;

    /** What writes are capped at, bytes per second: disks of today are faster than their own steadiness. */
    static final long CAP = 400 * MIB;

    static final int STREAMS = 32;

    /** Bytes that the disk must have beside the volume. */
    private static final long SPARE = 4096 * MIB;

    /**
     * Bytes of the volume. Of 8 GiB, each of 32 streams has 3 files of 64 MiB. Beside the page cache, which takes gigabytes before it
     * slows anybody down, less than 4 GiB would say nothing.
     */
    long volumeBytes(boolean isCompared) {
        return (!isQuick ? 8L : isCompared ? 4L : 1L) * 1024 * MIB;
    }

    /** Refuses a disk that is too full. */
    void requireRoom(long bytes) throws IOException {
        long room = FreeSpace.usableBytes(folder);
        if (room < bytes + SPARE) {
            throw new IOException(folder + " has room for " + room / MIB + " MiB, and " + (bytes + SPARE) / MIB
                    + " are needed; free some" + (isQuick ? "" : ", or use --quick"));
        }
    }
}
