package io.chimera.bench.archive.disk;

import io.chimera.jni.stream.FreeSpace;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Location and size of the disk measurements.
 *
 * @param home installation of Chimera
 * @param folder folder for the file of the loop device
 * @param isQuick whether to measure less
 * @param log receives the progress
 */
public record DiskSite(ChimeraHome home, Path folder, boolean isQuick, Consumer<String> log) {
    static final long MIB = 1L << 20;

    /** Cap of writes in bytes/s: the speed of current disks exceeds the speed at which they are steady. */
    static final long CAP = 400 * MIB;

    static final int STREAMS = 32;

    /** Free space required in addition to the volume, in bytes. */
    private static final long SPARE = 4096 * MIB;

    /**
     * Returns the size of the volume in bytes. With 8 GiB, each of 32 streams has 3 files of 64 MiB. A comparison with
     * the page cache needs at least 4 GiB, because the page cache accepts gigabytes before any write slows down.
     */
    long volumeBytes(boolean isCompared) {
        return (!isQuick ? 8L : isCompared ? 4L : 1L) * 1024 * MIB;
    }

    /** Refuses a disk without enough free space. */
    void requireRoom(long bytes) throws IOException {
        long room = FreeSpace.usableBytes(folder);
        if (room < bytes + SPARE) {
            throw new IOException(folder + " has room for " + room / MIB + " MiB, and " + (bytes + SPARE) / MIB
                    + " are needed; free space" + (isQuick ? "" : ", or use --quick"));
        }
    }
}
