package io.chimera.bench.archive.disk;

import io.chimera.apps.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
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

    private static final int LOG_SHARE = 2;

    /** Bytes of the volume: of 8 GiB, each of 32 streams has 3 files of 64 MiB. */
    long volumeBytes() {
        return (isQuick ? 1L : 8L) * 1024 * MIB;
    }

    /** Bytes that are written in the main comparison: the volume twice. */
    long totalBytes() {
        return LOG_SHARE * volumeBytes();
    }

    /** Bytes of a log file. */
    long logBytes() {
        return volumeBytes() / 128;
    }

    /** Refuses a disk that is too full. */
    void requireRoom() throws IOException {
        long room = Files.getFileStore(folder).getUsableSpace();
        if (room < volumeBytes() + SPARE) {
            throw new IOException(folder + " has room for " + room / MIB + " MiB, and " + (volumeBytes() + SPARE) / MIB
                    + " are needed; free some" + (isQuick ? "" : ", or use --quick"));
        }
    }
}
