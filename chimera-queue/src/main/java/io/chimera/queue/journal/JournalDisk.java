package io.chimera.queue.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The calls by which the journal learns what a disk really took, so that a test can let them fail. Any thread. */
interface JournalDisk {
    /** The disk of this machine. */
    JournalDisk SYSTEM = new JournalDisk() {
        @Override
        public int write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
            return file.write(bytes, position);
        }

        @Override
        public void force(FileChannel file) throws IOException {
            file.force(false);
        }
    };

    /**
     * Writes at a position.
     *
     * @return number of bytes, at least 1
     * @throws IOException when the disk has no room, or fails
     */
    int write(FileChannel file, ByteBuffer bytes, long position) throws IOException;

    /**
     * Makes durable what was written to a file, its length included.
     *
     * @throws IOException when something of it may never reach the disk: a second call proves nothing
     */
    void force(FileChannel file) throws IOException;
}
