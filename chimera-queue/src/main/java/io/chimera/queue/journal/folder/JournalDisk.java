package io.chimera.queue.journal.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Disk operations whose failures matter to the journal; a test replaces them to simulate failures. Any thread. */
public interface JournalDisk {
    /** Random name of the boot, chosen by the kernel of Linux. */
    Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

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

        @Override
        public Optional<String> boot() {
            try {
                return Optional.of(Files.readString(BOOT).strip());
            } catch (IOException e) {
                return Optional.empty();
            }
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

    /**
     * Returns the name of the machine's present boot; empty on systems other than Linux. Data without a sync may be
     * lost once the name has changed.
     */
    Optional<String> boot();
}
