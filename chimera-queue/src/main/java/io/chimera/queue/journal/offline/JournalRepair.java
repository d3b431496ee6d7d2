package io.chimera.queue.journal.offline;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.folder.IdentityFile;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.read.Damage;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.openhft.chronicle.wire.Wires;

/**
 * Cuts off the damaged parts of journal files while no node has the journal open. The repair first saves and syncs a
 * damaged part in the folder {@code damaged} of the journal. Then the end mark follows the last good batch of the file.
 * Before all this, the journal gets a new identity: the cluster must not count on copies of the records cut off.
 */
public final class JournalRepair {
    private static final int CHUNK = 1 << 20;

    private final JournalDirectory directory;

    private JournalRepair(JournalDirectory directory) {
        this.directory = directory;
    }

    /**
     * Result of the repair of one file.
     *
     * @param path path of the file
     * @param damage damage of the file
     * @param batches number of batches left in the file
     * @param bytesCut bytes cut off after the last batch; 0 when the file was merely truncated
     * @param kept file with the bytes cut off; empty without such bytes
     */
    public record Repaired(Path path, Damage damage, long batches, long bytesCut, Optional<Path> kept) {}

    /**
     * Repairs a journal, or the journals of all lanes of a node.
     *
     * @param named folder of the journal, or data folder of the node
     * @return the repaired files
     * @throws ChimeraException when there is no journal, a node has the journal open, or the disk refuses
     */
    public static List<Repaired> of(Path named) {
        try {
            List<Repaired> repaired = new ArrayList<>();
            for (Path folder : JournalDirectory.findAll(named)) {
                try (JournalDirectory directory = new JournalDirectory(folder)) {
                    repaired.addAll(new JournalRepair(directory).repair());
                }
            }
            return repaired;
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The journal in " + named + " cannot be repaired: " + e
                            + ". Data not yet saved in the folder 'damaged' is still in its file. Check the disk.",
                    e);
        }
    }

    private List<Repaired> repair() throws IOException {
        List<Repaired> repaired = new ArrayList<>();
        try (ExcerptReader reader = ExcerptReader.make()) {
            for (Path start : directory.starts()) {
                for (Path file : JournalDirectory.files(start)) {
                    FileWalk.End end = new FileWalk(reader).walk(file, (batch, offset) -> true);
                    if (end.damage().isPresent()) {
                        if (repaired.isEmpty()) {
                            IdentityFile.renew(directory.path());
                        }
                        repaired.add(repair(file, end, end.damage().get()));
                    }
                }
            }
        }
        return repaired;
    }

    private Repaired repair(Path file, FileWalk.End end, Damage damage) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long from = damage.offset();
            long written = endOfBytes(channel, from);
            Optional<Path> kept = written > from ? Optional.of(keep(file, channel, from, written)) : Optional.empty();
            endAt(channel, from);
            return new Repaired(file, damage, end.batches(), written - from, kept);
        }
    }

    /** Offset after the last non-zero byte; the rest of the file is sparse. */
    private static long endOfBytes(FileChannel channel, long from) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        long end = from;
        for (long position = from; read(channel, chunk, position) > 0; position += chunk.limit()) {
            for (int i = chunk.limit() - 1; i >= 0; i--) {
                if (chunk.get(i) != 0) {
                    end = position + i + 1;
                    break;
                }
            }
        }
        return end;
    }

    private Path keep(Path file, FileChannel channel, long from, long to) throws IOException {
        Path kept = directory.aside(file, ".from-" + from);
        for (int n = 2; Files.exists(kept); n++) {
            kept = directory.aside(file, ".from-" + from + "-" + n);
        }
        try (FileChannel target = FileChannel.open(kept, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
            for (long position = from; position < to; position += chunk.limit()) {
                read(channel, chunk, position);
                chunk.limit((int) Math.min(chunk.limit(), to - position));
                while (chunk.hasRemaining()) {
                    target.write(chunk);
                }
            }
            target.force(true);
        }
        JournalDirectory.syncFolderOf(kept);
        return kept;
    }

    /** Fills the buffer from a position on, up to the end of the file, and returns the number of bytes. */
    private static int read(FileChannel channel, ByteBuffer chunk, long position) throws IOException {
        chunk.clear();
        while (chunk.hasRemaining() && channel.read(chunk, position + chunk.position()) >= 0) {
            // read until the chunk is full or the file ends
        }
        chunk.flip();
        return chunk.limit();
    }

    private static void endAt(FileChannel channel, long offset) throws IOException {
        channel.truncate(offset);
        ByteBuffer mark = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        mark.putInt(0, Wires.END_OF_DATA);
        while (mark.hasRemaining()) {
            channel.write(mark, offset + mark.position());
        }
        channel.force(true);
    }
}
