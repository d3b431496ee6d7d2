package io.chimera.queue.journal.offline;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.LowWaterFile;
import io.chimera.queue.journal.folder.RestoredFile;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileWalk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Restores archived files into a journal while no node has the journal open. The records of the files lie below the
 * low-water mark. The restore raises the mark for streams no longer named by the mark; otherwise the next start would
 * treat the records as new points. One thread.
 */
public final class JournalRestore implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("\\d{8}/\\d{8}-\\d{6}T\\.cq4");
    private static final String UNFINISHED = ".restoring";

    private final JournalDirectory directory;
    private final List<String> cycles = new ArrayList<>();

    /** The file being restored; null between two files. */
    private @Nullable FileChannel channel;

    private String name = "";
    private int files;

    private JournalRestore(JournalDirectory directory) {
        this.directory = directory;
    }

    /**
     * Opens a journal for a restore.
     *
     * @param named folder of the journal, or data folder of the node
     * @throws ChimeraException when there is no journal, or a node has the journal open
     */
    public static JournalRestore open(Path named) {
        try {
            return new JournalRestore(new JournalDirectory(JournalDirectory.find(named)));
        } catch (IOException e) {
            throw failed(named, e);
        }
    }

    /** Whether the journal lacks a file. */
    public boolean lacks(String file) {
        if (!NAME.matcher(file).matches()) {
            throw new ChimeraException(Category.ERROR, "'" + file + "' is not a valid journal file name.");
        }
        return !Files.exists(directory.path().resolve(file));
    }

    /** Begins a missing file, and deletes an unfinished file of an earlier call. */
    public void begin(String file) {
        CloseHelper.quietClose(channel);
        Path dropped = unfinished();
        name = file;
        Path path = unfinished();
        try {
            Files.deleteIfExists(dropped);
            Files.createDirectories(path.getParent());
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException e) {
            throw failed(path, e);
        }
    }

    private Path unfinished() {
        return directory.path().resolve(name + UNFINISHED);
    }

    /** Writes a piece of the current file. */
    public void write(long at, DirectBuffer from, int offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        from.getBytes(offset, bytes, length);
        bytes.flip();
        try {
            for (long place = at; bytes.hasRemaining(); ) {
                place += present().write(bytes, place);
            }
        } catch (IOException e) {
            throw failed(unfinished(), e);
        }
    }

    /**
     * Completes the current file.
     *
     * @param known notes of the cycles whose records the file may hold
     */
    public void end(String known) {
        Path path = directory.path().resolve(name);
        try {
            present().force(true);
            present().close();
            channel = null;
            raiseMark(unfinished()); // before the rename: the file counts as soon as it has its name
            RestoredFile.mark(path);
            Files.move(unfinished(), path, StandardCopyOption.ATOMIC_MOVE);
            JournalDirectory.syncFolderOf(path);
        } catch (IOException e) {
            throw failed(path, e);
        }
        files++;
        cycles.add(known);
    }

    private FileChannel present() {
        return Objects.requireNonNull(channel, "begin() precedes the data of a file");
    }

    private void raiseMark(Path file) throws IOException {
        LowWaterFile lowWater = new LowWaterFile(directory.path());
        Positions mark = lowWater.look()
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "The low-water mark " + lowWater + " is damaged. Start the node once, then restore."));
        Positions.Builder raising = mark.toBuilder();
        try (ExcerptReader reader = ExcerptReader.make()) {
            new FileWalk(reader).walk(file, (batch, offset) -> {
                raising.raise(batch.stream(), batch.lastSeq());
                return true;
            });
        }
        Positions raised = raising.build();
        if (!raised.equals(mark)) {
            lowWater.write(raised);
        }
    }

    /**
     * Adds the cycles of the restored records to the journal.
     *
     * @return number of restored files
     */
    public int finish() {
        try {
            noteCycles();
            return files;
        } catch (IOException e) {
            throw failed(directory.path(), e);
        }
    }

    /**
     * Notes the cycles unknown to the journal. Known cycles stay unchanged, because a later history may have reused
     * their numbers.
     */
    private void noteCycles() throws IOException {
        try (CycleFile file = CycleFile.open(directory.path())) {
            for (String lines : cycles) {
                for (PastCycle cycle : CycleFile.decodeAll(lines)) {
                    if (!file.cycles().containsKey(cycle.number())) {
                        file.note(cycle);
                    }
                }
            }
            file.syncing().run();
        }
    }

    private static ChimeraException failed(Path path, IOException e) {
        return new ChimeraException(
                Category.ERROR, "Cannot restore files into the journal: " + path + ": " + e + ". Check the disk.", e);
    }

    @Override
    public void close() {
        CloseHelper.quietClose(channel);
        try {
            if (!name.isEmpty()) {
                Files.deleteIfExists(unfinished());
            }
        } catch (IOException e) {
            throw failed(unfinished(), e);
        } finally {
            CloseHelper.quietClose(directory);
        }
    }
}
