package io.chimera.dataset.compute;

import io.chimera.dataset.format.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Bytes of a file of pieces, here or at another node. One thread. */
public interface PieceBytes {
    /**
     * Returns the length.
     *
     * @return length in bytes
     * @throws IOException when the file cannot be read
     */
    long length() throws IOException;

    /**
     * Reads a part of the file, from the position to the limit of the buffer.
     *
     * @param offset offset of the first byte
     * @param into receives the bytes; full on return
     * @throws IOException when the file cannot be read, or ends before
     */
    void read(long offset, ByteBuffer into) throws IOException;

    /** Returns the failure to throw when the content is not that of a result, with place and remedy. */
    IOException damaged();

    /**
     * Returns the bytes of a file of this node. Opens the file for each part: a job may have more splits than a process
     * may have open files.
     *
     * @param path the file
     */
    static PieceBytes of(Path path) {
        return new LocalFile(path);
    }

    /**
     * A file of this node.
     *
     * @param path the file
     */
    record LocalFile(Path path) implements PieceBytes {
        @Override
        public long length() throws IOException {
            return Files.size(path);
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            long next = offset;
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                while (into.hasRemaining()) {
                    int count = channel.read(into, next);
                    if (count < 0) {
                        throw new IOException(path + " ends at " + next);
                    }
                    next += count;
                }
            }
        }

        @Override
        public IOException damaged() {
            return new FormatException(
                    path + " is damaged; delete the file, so that its split is computed again", null);
        }
    }
}
