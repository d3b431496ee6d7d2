package io.chimera.queue.journal.chronicle;

import io.chimera.queue.journal.folder.JournalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A disk that fails on request with an error of the kernel. One thread. */
final class FailingDisk implements JournalDisk {
    private String writeError = "";
    private String forceError = "";
    private int forces;
    private Optional<String> boot = Optional.of("boot 1");

    /** Sets the error of all further writes; empty to work again. */
    void failWrites(String error) {
        writeError = error;
    }

    /** Sets the error of all further syncs; empty to work again. */
    void failForces(String error) {
        forceError = error;
    }

    /** Restarts the machine; an empty name for a system without one. */
    void restart(Optional<String> name) {
        boot = name;
    }

    /** Number of successful syncs. */
    int forces() {
        return forces;
    }

    @Override
    public int write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        failIf(writeError);
        return SYSTEM.write(file, bytes, position);
    }

    @Override
    public void force(FileChannel file) throws IOException {
        failIf(forceError);
        SYSTEM.force(file);
        forces++;
    }

    @Override
    public Optional<String> boot() {
        return boot;
    }

    private static void failIf(String error) throws IOException {
        if (!error.isEmpty()) {
            throw new IOException(error);
        }
    }
}
