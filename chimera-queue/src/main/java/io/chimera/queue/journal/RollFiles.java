package io.chimera.queue.journal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/** The files of a journal, oldest first. The journaler's thread changes them; any thread finds one and reads the sizes. */
final class RollFiles {
    private volatile RollFile[] all;
    private volatile long bytes;
    private volatile long retainedBytes;
    private int nextOrdinal;

    /** The files that earlier starts have left, with ordinals from 0 on. */
    RollFiles(Collection<RollFile> found) {
        all = found.toArray(RollFile[]::new);
        nextOrdinal = all.length;
    }

    /** Takes note of a new file. */
    void begin(Path path) {
        RollFile[] present = all;
        RollFile[] more = Arrays.copyOf(present, present.length + 1);
        more[present.length] = new RollFile(nextOrdinal, path);
        nextOrdinal++;
        all = more;
    }

    /** The newest; there must be one. */
    RollFile last() {
        RollFile[] present = all;
        return present[present.length - 1];
    }

    int count() {
        return all.length;
    }

    /** A file by its ordinal; null when it was let go of. Any thread. */
    RollFile find(int ordinal) {
        RollFile[] present = all;
        for (int i = present.length - 1; i >= 0 && present[i].ordinal() >= ordinal; i--) {
            if (present[i].ordinal() == ordinal) {
                return present[i];
            }
        }
        return null;
    }

    /** Whether a file holds something of a stream. */
    boolean holdsAny(long stream) {
        return Arrays.stream(all).anyMatch(file -> file.holdsAny(stream));
    }

    /** Files all of whose records lie at or below a mark. */
    List<RollFile> below(SortedMap<Long, Long> mark) {
        return Arrays.stream(all).filter(file -> file.isBelow(mark)).toList();
    }

    void remove(RollFile gone) {
        List<RollFile> kept = new ArrayList<>(List.of(all));
        kept.remove(gone);
        all = kept.toArray(RollFile[]::new);
    }

    /** Adds up the sizes anew. */
    void measure(SortedMap<Long, Long> mark) {
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
    long bytes() {
        return bytes;
    }

    /** Bytes of files that only retention keeps. Any thread. */
    long retainedBytes() {
        return retainedBytes;
    }
}
