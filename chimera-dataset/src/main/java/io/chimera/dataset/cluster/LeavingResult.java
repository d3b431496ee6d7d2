package io.chimera.dataset.cluster;

import io.chimera.dataset.compute.PieceBytes;
import io.chimera.dataset.compute.PieceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Result of a split at a worker that leaves: another worker copies it, instead of computing the split once more.
 *
 * @param bytes the file
 * @param digest digest of the file, as reported
 */
record LeavingResult(PieceBytes bytes, String digest) {
    private static final int PART_LENGTH = 1 << 20;

    /**
     * Copies the result. It appears under its name once it is whole, verified and durable.
     *
     * @param path file of the copy
     * @throws IOException when the result cannot be read or written, or differs from the reported one
     */
    void copy(Path path) throws IOException {
        Path unfinished = path.resolveSibling(path.getFileName() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                write(channel);
                channel.force(true);
            }
            PieceFile copied = PieceFile.open(unfinished);
            if (!copied.digest().equals(digest)) {
                throw bytes.damaged();
            }
            copied.verify();
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private void write(FileChannel channel) throws IOException {
        long length = bytes.length();
        ByteBuffer part = ByteBuffer.allocate(PART_LENGTH);
        for (long offset = 0; offset < length; offset += part.limit()) {
            part.clear().limit((int) Math.min(PART_LENGTH, length - offset));
            bytes.read(offset, part);
            part.flip();
            while (part.hasRemaining()) {
                channel.write(part);
            }
        }
    }
}
