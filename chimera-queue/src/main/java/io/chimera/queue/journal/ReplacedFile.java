package io.chimera.queue.journal;

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
 * A small file that is replaced as a whole: written beside, synced, renamed. The file beside always lies ready with blocks of its own, so
 * that a full disk does not refuse it. One thread writes.
 */
final class ReplacedFile {
    private static final Logger LOG = LoggerFactory.getLogger(ReplacedFile.class);

    /** Room in the file that lies ready: a thousand streams of 40 bytes. It grows with the content. */
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

    /** Replaces the content; it is durable when this returns. */
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

    /** Lays the file for the next content ready. Without room it is written later, as far as there is room then. */
    void makeReady() {
        byte[] room = new byte[Math.max(READY_BYTES, 2 * length)];
        Arrays.fill(room, (byte) ' ');
        try {
            if (!Files.exists(next) || Files.size(next) < room.length) {
                Files.write(next, room);
            }
        } catch (IOException e) {
            LOG.warn("No room to lay the next {} ready: {}", file, e.toString());
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
