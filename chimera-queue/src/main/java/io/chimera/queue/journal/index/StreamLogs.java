package io.chimera.queue.journal.index;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Streams of a journal. Each start of a queue node adds a stream. The map is copied on every addition and read by any
 * thread without a lock.
 */
public final class StreamLogs {
    private volatile Long2ObjectHashMap<StreamLog> logs = new Long2ObjectHashMap<>();

    /** Index of a stream; null when the journal never held the stream. Any thread. */
    public StreamLog find(long stream) {
        return logs.get(stream);
    }

    /** Index of a stream; created empty if missing. The journaler's thread. */
    public StreamLog at(long stream) {
        StreamLog log = logs.get(stream);
        if (log == null) {
            log = new StreamLog(stream);
            Long2ObjectHashMap<StreamLog> copy = new Long2ObjectHashMap<>(logs);
            copy.put(stream, log);
            logs = copy;
        }
        return log;
    }

    /** Marks all appended records as durable. */
    public void becomeDurable() {
        logs.forEachLong((stream, log) -> log.becomeDurable());
    }

    /**
     * Computes the next mark from the present mark and a cut. The mark never goes back: files below the mark are
     * deleted, and a lower mark would turn their records into a gap at the next start. The mark names a stream as long
     * as a file holds records of the stream. Otherwise the next start would treat the records as new.
     *
     * @param isFiled whether a file holds records of a stream
     */
    public SortedMap<Long, Long> mark(SortedMap<Long, Long> before, SortedMap<Long, Long> cut, LongPredicate isFiled) {
        SortedMap<Long, Long> mark = new TreeMap<>(cut);
        before.forEach((stream, seq) -> {
            if (cut.containsKey(stream) || isFiled.test(stream)) {
                mark.merge(stream, seq, Math::max);
            }
        });
        return mark;
    }

    /** Raises the bases to a mark. Forgets streams named in the old mark only, because no file holds their records. */
    public void raise(SortedMap<Long, Long> before, SortedMap<Long, Long> mark) {
        mark.forEach((stream, seq) -> at(stream).raiseBase(seq));
        if (!mark.keySet().containsAll(before.keySet())) {
            Long2ObjectHashMap<StreamLog> copy = new Long2ObjectHashMap<>(logs);
            before.keySet().stream()
                    .filter(stream -> !mark.containsKey(stream))
                    .forEach(stream -> copy.remove((long) stream));
            logs = copy;
        }
    }

    /** Drops index entries of a stream after the deletion of a file. */
    void letGo(long stream, long lastSeq) {
        StreamLog log = logs.get(stream);
        if (log != null) {
            log.letGo(lastSeq);
        }
    }

    /** Reads a number of every stream, ordered by stream. Any thread. */
    public SortedMap<Long, Long> each(ToLongFunction<StreamLog> number) {
        SortedMap<Long, Long> numbers = new TreeMap<>();
        logs.forEachLong((stream, log) -> numbers.put(stream, number.applyAsLong(log)));
        return numbers;
    }
}
