package io.chimera.queue.journal;

import java.nio.file.Path;
import java.util.SortedMap;
import org.agrona.collections.Long2LongHashMap;

/**
 * One file of the journal and what it holds. The ordinal grows from file to file over all starts of the node that the
 * directory still holds. Written by the journaler's thread; other threads read the ordinal and the path only.
 */
final class RollFile {
    private static final long NONE = 0;

    private final int ordinal;
    private final Path path;
    private final Long2LongHashMap lastSeqs = new Long2LongHashMap(NONE);
    private long bytes;
    private boolean damaged;
    private long doneSinceMs;
    private volatile Keeping keeping = Keeping.NOT_ASKED;

    /** Whether an archive has the file. */
    enum Keeping {
        NOT_ASKED,
        WAITING,
        /** It has it, or nobody waits for that any more. */
        KEPT
    }

    RollFile(int ordinal, Path path) {
        this.ordinal = ordinal;
        this.path = path;
    }

    int ordinal() {
        return ordinal;
    }

    Path path() {
        return path;
    }

    /** Its start and its own name. */
    String name() {
        return path.getParent().getFileName() + "/" + path.getFileName();
    }

    /** Whether an archive has it. Any thread. */
    Keeping keeping() {
        return keeping;
    }

    void keeping(Keeping newKeeping) {
        keeping = newKeeping;
    }

    /** Bytes that the file takes on disk. */
    long bytes() {
        return bytes;
    }

    void bytes(long newBytes) {
        bytes = newBytes;
    }

    /** Whether the file holds something that could not be read. */
    boolean isDamaged() {
        return damaged;
    }

    void markDamaged() {
        damaged = true;
    }

    /** Notes that the file holds a stream up to a sequence number. */
    void holds(long stream, long lastSeq) {
        lastSeqs.put(stream, lastSeq);
    }

    /** Whether the file holds something of a stream. */
    boolean holdsAny(long stream) {
        return lastSeqs.containsKey(stream);
    }

    /** Whether the file holds no record. */
    boolean isEmpty() {
        return lastSeqs.isEmpty();
    }

    /** Hands over each stream that the file holds, with the last sequence number. */
    void forEachStream(StreamConsumer consumer) {
        lastSeqs.forEachLong(consumer::accept);
    }

    /** Takes a stream and a sequence number. */
    interface StreamConsumer {
        /** Takes them. */
        void accept(long stream, long lastSeq);
    }

    /** Since when everything in the file is committed, in ms since 1970; 0 while that is not known. */
    long doneSinceMs() {
        return doneSinceMs;
    }

    void doneSinceMs(long newDoneSinceMs) {
        doneSinceMs = newDoneSinceMs;
    }

    /** Whether everything that the file holds lies at or below the cut. */
    boolean isBelow(SortedMap<Long, Long> cut) {
        Long2LongHashMap.EntryIterator entries = lastSeqs.entrySet().iterator();
        while (entries.hasNext()) {
            entries.next();
            if (entries.getLongValue() > cut.getOrDefault(entries.getLongKey(), 0L)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the file holds a stream beyond where a cycle begins to take of it. */
    boolean beginsAnyOf(SortedMap<Long, Long> before, SortedMap<Long, Long> cut) {
        return cut.entrySet().stream().anyMatch(stream -> {
            long from = before.getOrDefault(stream.getKey(), 0L);
            return stream.getValue() > from && lastSeqs.get((long) stream.getKey()) > from;
        });
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
