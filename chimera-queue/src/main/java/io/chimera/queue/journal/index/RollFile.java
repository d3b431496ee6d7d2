package io.chimera.queue.journal.index;

import io.chimera.common.cluster.Positions;
import java.nio.file.Path;
import java.util.Objects;
import org.agrona.collections.Long2LongHashMap;

/**
 * One file of the journal and its contents. The ordinal increases from file to file over all starts in the folder. The
 * journaler's thread writes; other threads read only ordinal, path and {@link #keeping}, and the archiver's thread
 * reads {@link #bytes()} of submitted files.
 */
public final class RollFile {
    private static final long NONE = 0;

    private final int ordinal;
    private final Path path;
    private final Long2LongHashMap lastSeqs = new Long2LongHashMap(NONE);
    private long bytes;
    private boolean damaged;
    private long doneSinceMs;
    private volatile Keeping keeping = Keeping.NOT_ASKED;

    /** Archiving state of the file. */
    public enum Keeping {
        NOT_ASKED,
        WAITING,
        /** Archived, or no longer waiting for the archive. */
        KEPT
    }

    public RollFile(int ordinal, Path path) {
        this.ordinal = ordinal;
        this.path = path;
    }

    public int ordinal() {
        return ordinal;
    }

    public Path path() {
        return path;
    }

    /** Folder name of the start and file name. */
    public String name() {
        return folder().getFileName() + "/" + path.getFileName();
    }

    /** Folder of the start that wrote the file. */
    public Path folder() {
        return Objects.requireNonNull(path.getParent(), "a roll file lies in the folder of a start");
    }

    /** Archiving state. Any thread. */
    public Keeping keeping() {
        return keeping;
    }

    public void keeping(Keeping newKeeping) {
        keeping = newKeeping;
    }

    /** Bytes of the file on disk. */
    public long bytes() {
        return bytes;
    }

    public void bytes(long newBytes) {
        bytes = newBytes;
    }

    /** Whether the file has an unreadable part or batches after a gap. */
    public boolean isDamaged() {
        return damaged;
    }

    public void markDamaged() {
        damaged = true;
    }

    /** Notes the last sequence number of a stream in the file. */
    public void holds(long stream, long lastSeq) {
        lastSeqs.put(stream, lastSeq);
    }

    /** Whether the file holds records of a stream. */
    boolean holdsAny(long stream) {
        return lastSeqs.containsKey(stream);
    }

    /** Whether the file holds no record. */
    public boolean isEmpty() {
        return lastSeqs.isEmpty();
    }

    /** Passes each stream of the file with its last sequence number to the consumer. */
    void forEachStream(StreamConsumer consumer) {
        lastSeqs.forEachLong(consumer::accept);
    }

    /** Receives a stream and a sequence number. */
    interface StreamConsumer {
        void accept(long stream, long lastSeq);
    }

    /** Time since when all records of the file are known to be committed, in ms since 1970; 0 while unknown. */
    public long doneSinceMs() {
        return doneSinceMs;
    }

    public void doneSinceMs(long newDoneSinceMs) {
        doneSinceMs = newDoneSinceMs;
    }

    /** Whether all records of the file lie at or below the cut. */
    boolean isBelow(Positions cut) {
        Long2LongHashMap.EntryIterator entries = lastSeqs.entrySet().iterator();
        while (entries.hasNext()) {
            entries.next();
            if (entries.getLongValue() > cut.at(entries.getLongKey())) {
                return false;
            }
        }
        return true;
    }

    /** Whether the file holds records after the beginning of a cycle, in any stream of the cycle. */
    public boolean beginsAnyOf(Positions before, Positions cut) {
        return cut.since(before).stream().anyMatch(range -> lastSeqs.get(range.stream()) > range.after());
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
