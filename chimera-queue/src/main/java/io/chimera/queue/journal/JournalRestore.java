package io.chimera.queue.journal;

import io.chimera.common.cluster.PastCycle;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Puts files back into a journal that no node has open, from where they were kept. Their records lie below the low-water mark,
 * which is raised where it does not name their streams any more: else the next start would take them for new points. One thread.
 */
public final class JournalRestore implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("\\d{8}/\\d{8}-\\d{6}T\\.cq4");
    private static final String UNFINISHED = ".restoring";

    private final JournalDirectory directory;
    private final List<String> cycles = new ArrayList<>();
    private FileChannel channel;
    private String name = "";
    private int files;

    private JournalRestore(JournalDirectory directory) {
        this.directory = directory;
    }

    /**
     * Opens a journal to put files back.
     *
     * @param named its folder, or the data folder of its node
     * @throws ChimeraException when there is none, or a node has it open
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
            throw new ChimeraException(Category.ERROR, "'" + file + "' is no name of a file of a journal.");
        }
        return !Files.exists(directory.path().resolve(file));
    }

    /** Begins a file anew that the journal lacks, and drops one that was not finished. */
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

    /** Writes a piece of the file that was begun. */
    public void write(long at, DirectBuffer from, int offset, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        from.getBytes(offset, bytes, length);
        bytes.flip();
        try {
            for (long place = at; bytes.hasRemaining(); ) {
                place += channel.write(bytes, place);
            }
        } catch (IOException e) {
            throw failed(unfinished(), e);
        }
    }

    /**
     * Ends the file: it is whole.
     *
     * @param known lines of cycles whose records it may hold
     */
    public void end(String known) {
        Path path = directory.path().resolve(name);
        try {
            channel.force(true);
            channel.close();
            channel = null;
            raiseMark(unfinished()); // ahead of the name: from then on the file counts
            RestoredFile.mark(path);
            Files.move(unfinished(), path, StandardCopyOption.ATOMIC_MOVE);
            JournalDirectory.sync(path.getParent());
        } catch (IOException e) {
            throw failed(path, e);
        }
        files++;
        cycles.add(known);
    }

    private void raiseMark(Path file) throws IOException {
        LowWaterFile lowWater = new LowWaterFile(directory.path());
        SortedMap<Long, Long> mark = lowWater.look()
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "The low-water mark " + lowWater + " is damaged; start the node once, then restore."));
        SortedMap<Long, Long> raised = new TreeMap<>(mark);
        try (ExcerptReader reader = ExcerptReader.make()) {
            new FileWalk(reader).walk(file, (batch, offset) -> {
                raised.merge(batch.stream(), batch.lastSeq(), Math::max);
                return true;
            });
        }
        if (!raised.equals(mark)) {
            lowWater.write(raised);
        }
    }

    /**
     * Makes the cycles known to the journal whose records were put back.
     *
     * @return number of files
     */
    public int finish() {
        try {
            noteCycles();
            return files;
        } catch (IOException e) {
            throw failed(directory.path(), e);
        }
    }

    /** Cycles that the journal knows stay as they are: numbers may have begun anew since. */
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
                Category.ERROR,
                "Files cannot be put back into the journal: " + path + ": " + e + ". See to the disk.",
                e);
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
