package io.chimera.queue.journal;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The streams of a journal. A stream comes with every start of a queue node, so the map is copied for each and read by any
 * thread without a lock.
 */
final class StreamLogs {
    private volatile Long2ObjectHashMap<StreamLog> logs = new Long2ObjectHashMap<>();

    /** What is held of a stream; null when nothing ever was. Any thread. */
    StreamLog find(long stream) {
        return logs.get(stream);
    }

    /** What is held of a stream, from now on at least nothing. The journaler's thread. */
    StreamLog at(long stream) {
        StreamLog log = logs.get(stream);
        if (log == null) {
            log = new StreamLog(stream);
            Long2ObjectHashMap<StreamLog> copy = new Long2ObjectHashMap<>(logs);
            copy.put(stream, log);
            logs = copy;
        }
        return log;
    }

    /** Everything that was appended is durable now. */
    void becomeDurable() {
        logs.forEachLong((stream, log) -> log.becomeDurable());
    }

    /**
     * The mark that follows another with a cut. It never goes back: files below the mark are gone, and a lower one would
     * make a gap of that at the next start. It names a stream for as long as a file holds something of it: the next start
     * would else take that for new.
     *
     * @param isFiled whether a file holds something of a stream
     */
    SortedMap<Long, Long> mark(SortedMap<Long, Long> before, SortedMap<Long, Long> cut, LongPredicate isFiled) {
        SortedMap<Long, Long> mark = new TreeMap<>(cut);
        before.forEach((stream, seq) -> {
            if (cut.containsKey(stream) || isFiled.test(stream)) {
                mark.merge(stream, seq, Math::max);
            }
        });
        return mark;
    }

    /** Raises the bases to a mark. Forgets what the one before named and this one does not: nothing is held of it. */
    void raise(SortedMap<Long, Long> before, SortedMap<Long, Long> mark) {
        mark.forEach((stream, seq) -> at(stream).raiseBase(seq));
        if (!mark.keySet().containsAll(before.keySet())) {
            Long2ObjectHashMap<StreamLog> copy = new Long2ObjectHashMap<>(logs);
            before.keySet().stream()
                    .filter(stream -> !mark.containsKey(stream))
                    .forEach(stream -> copy.remove((long) stream));
            logs = copy;
        }
    }

    /** A file that held a stream up to a sequence number is gone. */
    void letGo(long stream, long lastSeq) {
        StreamLog log = logs.get(stream);
        if (log != null) {
            log.letGo(lastSeq);
        }
    }

    /** A number of every stream, ordered by stream. Any thread. */
    SortedMap<Long, Long> each(ToLongFunction<StreamLog> number) {
        SortedMap<Long, Long> numbers = new TreeMap<>();
        logs.forEachLong((stream, log) -> numbers.put(stream, number.applyAsLong(log)));
        return numbers;
    }
}
