package io.chimera.queue.journal.retention;

import java.io.IOException;

/** Archive for journal files past their retention, for a later restore. One thread; calls may block. */
public interface PastFiles extends AutoCloseable {
    /** No archive: files are deleted when their retention expires. */
    PastFiles NONE = new PastFiles() {
        @Override
        public void keep(PastFile file) {}

        @Override
        public void close() {}
    };

    /**
     * Archives a file. After the return the archived file survives a loss of power.
     *
     * @throws io.chimera.common.error.ChimeraException when the archive refuses the file; the caller retries later
     * @throws IOException when the file cannot be read
     */
    void keep(PastFile file) throws IOException;

    @Override
    void close();
}
