package io.chimera.queue.journal.index;

import io.chimera.common.cluster.Positions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files of a journal, oldest first. Only the journaler's thread changes the list; any thread finds files and reads the
 * sizes.
 */
public final class RollFiles {
    private volatile RollFile[] all;
    private volatile long bytes;
    private volatile long retainedBytes;
    private int nextOrdinal;

    /** Registers the files of earlier starts, with ordinals from 0 on. */
    public RollFiles(Collection<RollFile> found) {
        all = found.toArray(RollFile[]::new);
        nextOrdinal = all.length;
    }

    /** Registers a new file. */
    public void begin(Path path) {
        RollFile[] present = all;
        RollFile[] more = Arrays.copyOf(present, present.length + 1);
        more[present.length] = new RollFile(nextOrdinal, path);
        nextOrdinal++;
        all = more;
    }

    /** The newest file; the list must not be empty. */
    public RollFile last() {
        RollFile[] present = all;
        return present[present.length - 1];
    }

    public int count() {
        return all.length;
    }

    /** File with an ordinal; null after its deletion. Any thread. */
    public @Nullable RollFile find(int ordinal) {
        RollFile[] present = all;
        for (int i = present.length - 1; i >= 0 && present[i].ordinal() >= ordinal; i--) {
            if (present[i].ordinal() == ordinal) {
                return present[i];
            }
        }
        return null;
    }

    /** Whether any file holds records of a stream. */
    public boolean holdsAny(long stream) {
        return Arrays.stream(all).anyMatch(file -> file.holdsAny(stream));
    }

    /** Files with all records at or below a mark. */
    public List<RollFile> below(Positions mark) {
        return Arrays.stream(all).filter(file -> file.isBelow(mark)).toList();
    }

    void remove(RollFile gone) {
        List<RollFile> kept = new ArrayList<>(List.of(all));
        kept.remove(gone);
        all = kept.toArray(RollFile[]::new);
    }

    /** Recomputes the total sizes. */
    public void measure(Positions mark) {
        long sum = 0;
        long below = 0;
        for (RollFile file : all) {
            sum += file.bytes();
            below += file.isBelow(mark) ? file.bytes() : 0;
        }
        bytes = sum;
        retainedBytes = below;
    }

    /** Bytes on disk. Any thread. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of files kept only by retention. Any thread. */
    public long retainedBytes() {
        return retainedBytes;
    }
}
