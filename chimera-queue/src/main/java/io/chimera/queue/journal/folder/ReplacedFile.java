package io.chimera.queue.journal.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file that is replaced as a whole: the new content is written to a temporary file, synced and renamed. The
 * temporary file always exists with allocated blocks, so that a full disk does not refuse the write. One thread writes.
 */
final class ReplacedFile {
    private static final Logger LOG = LoggerFactory.getLogger(ReplacedFile.class);

    /** Initial size of the temporary file: a thousand streams of 40 bytes. The size grows with the content. */
    private static final int READY_BYTES = 64 << 10;

    private final Path directory;
    private final Path file;
    private final Path next;
    private int length;

    ReplacedFile(Path directory, String name) {
        this.directory = directory;
        file = directory.resolve(name);
        next = directory.resolve(name + ".next");
    }

    Path path() {
        return file;
    }

    boolean exists() {
        return Files.exists(file);
    }

    byte[] read() throws IOException {
        byte[] content = Files.readAllBytes(file);
        length = content.length;
        return content;
    }

    /** Replaces the content; the new content is durable on return. */
    void write(byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        length = content.length;
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.truncate(length);
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        JournalDirectory.sync(directory);
    }

    /**
     * Allocates the temporary file for the next content. On a full disk the allocation is skipped, and the next write
     * needs free blocks.
     */
    void makeReady() {
        byte[] room = new byte[Math.max(READY_BYTES, 2 * length)];
        Arrays.fill(room, (byte) ' ');
        try {
            if (!Files.exists(next) || Files.size(next) < room.length) {
                Files.write(next, room);
            }
        } catch (IOException e) {
            LOG.warn("No disk space to allocate the next {}: {}", file, e.toString());
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
