package io.chimera.queue.journal.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Disk operations whose failures matter to the journal; a test replaces them to simulate failures. Any thread. */
public interface JournalDisk {
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
     * Makes the written data and the length of a file durable.
     *
     * @throws IOException when some data may never reach the disk: a second call proves nothing
     */
    void force(FileChannel file) throws IOException;
}
