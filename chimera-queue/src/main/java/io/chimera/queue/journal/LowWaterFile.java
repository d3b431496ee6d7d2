package io.chimera.queue.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The low-water mark on disk: {@code {"0123456789abcdef": 4711, …}}, the sequence number per stream up to which the journal
 * need not hold anything. It is replaced as a whole: written beside, synced, renamed. The file beside always lies ready
 * with blocks of its own, because letting go of files is what helps on a full disk and needs the mark to be written first.
 */
final class LowWaterFile {
    static final String NAME = "low-water.json";

    private static final Logger LOG = LoggerFactory.getLogger(LowWaterFile.class);
    private static final String NEXT = NAME + ".next";
    private static final String DAMAGED = NAME + ".damaged";

    /** Room in the file that lies ready: a thousand streams of 40 bytes. It grows with the mark. */
    private static final int READY_BYTES = 64 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private int length;

    LowWaterFile(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads the mark.
     *
     * @return no entries when there was none yet; empty when it is damaged: it is set aside then
     */
    Optional<SortedMap<Long, Long>> read() throws IOException {
        Path file = directory.resolve(NAME);
        SortedMap<Long, Long> cut = new TreeMap<>();
        if (!Files.exists(file)) {
            return Optional.of(cut);
        }
        byte[] json = Files.readAllBytes(file);
        length = json.length;
        try {
            JSON.readValue(json, new TypeReference<TreeMap<String, Long>>() {})
                    .forEach((stream, seq) -> cut.put(Long.parseUnsignedLong(stream, 16), seq));
            return Optional.of(cut);
        } catch (JsonProcessingException | NumberFormatException e) {
            LOG.error(
                    "The low-water mark {} is damaged and set aside as {}; what the journal's files hold is taken as not"
                            + " yet processed until the coordinator names the mark again.",
                    file,
                    DAMAGED,
                    e);
            Files.move(file, directory.resolve(DAMAGED), StandardCopyOption.REPLACE_EXISTING);
            return Optional.empty();
        }
    }

    /** Replaces the mark; it stands when this returns. */
    void write(SortedMap<Long, Long> cut) throws IOException {
        SortedMap<String, Long> named = new TreeMap<>();
        cut.forEach((stream, seq) -> named.put(JournalDirectory.hex(stream), seq));
        ByteBuffer json = ByteBuffer.wrap(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(named));
        length = json.remaining();
        Path next = directory.resolve(NEXT);
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (json.hasRemaining()) {
                channel.write(json);
            }
            channel.truncate(length);
            channel.force(true);
        }
        Files.move(next, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        JournalDirectory.sync(directory);
    }

    /** Lays the file for the next mark ready. Without room it is written later, as far as there is room then. */
    void makeReady() {
        Path next = directory.resolve(NEXT);
        byte[] room = new byte[Math.max(READY_BYTES, 2 * length)];
        Arrays.fill(room, (byte) ' ');
        try {
            if (!Files.exists(next) || Files.size(next) < room.length) {
                Files.write(next, room);
            }
        } catch (IOException e) {
            LOG.warn("No room to lay the next low-water mark of {} ready: {}", directory, e.toString());
        }
    }
}
