package io.chimera.dataset.copy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads and writes of files of copies. Each call opens the file, so that the interruption of one reader leaves the
 * others alone. Any thread.
 */
interface CopyDisk {
    /** The file system. */
    CopyDisk FILES = new CopyDisk() {
        @Override
        public void read(Path file, long offset, ByteBuffer into) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                long at = offset;
                while (into.hasRemaining()) {
                    int count = channel.read(into, at);
                    if (count < 0) {
                        throw new EOFException(file + " ends at " + at);
                    }
                    at += count;
                }
            }
        }

        @Override
        public void write(Path file, long offset, ByteBuffer bytes) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                long at = offset;
                while (bytes.hasRemaining()) {
                    at += channel.write(bytes, at);
                }
            }
        }

        @Override
        public void force(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(false);
            }
        }
    };

    /**
     * Fills a buffer.
     *
     * @throws EOFException when the file ends before
     * @throws IOException when the file is missing, or cannot be read
     */
    void read(Path file, long offset, ByteBuffer into) throws IOException;

    /**
     * Writes all bytes of a buffer; creates a missing file.
     *
     * @throws IOException when the file cannot be written
     */
    void write(Path file, long offset, ByteBuffer bytes) throws IOException;

    /**
     * Writes the content of the file from memory to the device.
     *
     * @throws IOException when the device fails
     */
    void force(Path file) throws IOException;
}
