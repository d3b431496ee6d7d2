package io.chimera.queue.journal.chronicle;

import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.wire.BatchFeed;
import io.chimera.queue.journal.Retained;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.index.StreamLog;
import io.chimera.queue.journal.retention.Retention;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** Retained records of a {@link ChronicleJournal}. */
final class ChronicleRetained implements Retained {
    private final ChronicleJournal journal;
    private final CycleFile cycles;
    private final Retention retention;

    ChronicleRetained(ChronicleJournal journal, CycleFile cycles, Retention retention) {
        this.journal = journal;
        this.cycles = cycles;
        this.retention = retention;
    }

    @Override
    public BatchFeed feed(StreamRange range) {
        return journal.feed(range, true);
    }

    @Override
    public boolean canRead(StreamRange range) {
        StreamLog log = journal.log(range.stream());
        return log != null && log.canRead(range.after(), range.upTo());
    }

    @Override
    public void hold(boolean nowHeld) {
        retention.hold(nowHeld);
    }

    @Override
    public void note(PastCycle cycle) {
        cycles.note(cycle);
    }

    /** Forgets the notes of committed cycles whose records can no longer be read. */
    void forgetLost(Positions mark) {
        cycles.keepIf(cycle ->
                cycle.ranges().stream().allMatch(range -> range.upTo() > mark.at(range.stream()) || canRead(range)));
    }

    @Override
    public SortedMap<Long, PastCycle> cycles() {
        return Collections.unmodifiableSortedMap(cycles.cycles());
    }

    @Override
    public List<CycleSpan> spans() {
        return cycles.spans();
    }

    @Override
    public long bytes() {
        return journal.retainedBytes();
    }
}
