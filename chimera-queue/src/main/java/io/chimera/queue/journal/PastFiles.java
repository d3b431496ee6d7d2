package io.chimera.queue.journal;

import java.io.IOException;

/** Keeps files of a journal beyond their time, so that they can be restored. One thread, which it may block. */
public interface PastFiles extends AutoCloseable {
    /** Nobody: files go when they need not stay. */
    PastFiles NONE = new PastFiles() {
        @Override
        public void keep(PastFile file) {}

        @Override
        public void close() {}
    };

    /**
     * Keeps a file. When this returns it survives a loss of power.
     *
     * @throws io.chimera.common.error.ChimeraException when it is not kept; it is tried again later
     * @throws IOException when the file cannot be read
     */
    void keep(PastFile file) throws IOException;

    @Override
    void close();
}
