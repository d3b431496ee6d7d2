package io.chimera.queue.journal.retention;

import io.chimera.common.cluster.Positions;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.index.JournalIndex;
import io.chimera.queue.journal.index.RollFile;
import java.util.List;

/**
 * Low-water mark of a journal: the mark on disk comes first, then the bases of the streams rise. The journaler's
 * thread.
 */
public final class LowWater {
    private final JournalIndex index;
    private final MarkWriter writer;
    private final CycleFile cycles;
    private Positions mark;

    /**
     * Creates the mark.
     *
     * @param mark content of the file of the writer
     * @param cycles notes of cycles, made durable before each write of a mark
     */
    public LowWater(JournalIndex index, Positions mark, MarkWriter writer, CycleFile cycles) {
        this.index = index;
        this.mark = mark;
        this.writer = writer;
        this.cycles = cycles;
    }

    public Positions mark() {
        return mark;
    }

    /** Files with all records at or below the mark. */
    public List<RollFile> filesBelow() {
        return index.files().below(mark);
    }

    /** Begins to write the mark of a cut, and raises the bases to the mark written since the last call. */
    public void advance(Positions cut) {
        Positions next = nextMark(cut);
        if (writer.wants(next)) {
            writer.write(next, cycles.syncing());
        }
        Positions written = writer.takeWritten();
        if (written != null) {
            raise(nextMark(written));
        }
    }

    /** Mark of a cut. A stream with records appended since the write of a mark began stays in the mark. */
    private Positions nextMark(Positions cut) {
        return index.logs().mark(mark, cut, index.files()::holdsAny);
    }

    private void raise(Positions next) {
        index.logs().raise(mark, next);
        mark = next;
    }
}
