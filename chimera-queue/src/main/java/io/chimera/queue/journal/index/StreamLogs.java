package io.chimera.queue.journal.index;

import io.chimera.common.cluster.Positions;
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
    public Positions mark(Positions before, Positions cut, LongPredicate isFiled) {
        Positions.Builder mark = cut.toBuilder();
        before.forEach((stream, seq) -> {
            if (cut.names(stream) || isFiled.test(stream)) {
                mark.raise(stream, seq);
            }
        });
        return mark.build();
    }

    /** Raises the bases to a mark. Forgets streams named in the old mark only, because no file holds their records. */
    public void raise(Positions before, Positions mark) {
        mark.forEach((stream, seq) -> at(stream).raiseBase(seq));
        if (!mark.streams().containsAll(before.streams())) {
            Long2ObjectHashMap<StreamLog> copy = new Long2ObjectHashMap<>(logs);
            before.forEach((stream, seq) -> {
                if (!mark.names(stream)) {
                    copy.remove(stream);
                }
            });
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
    public Positions each(ToLongFunction<StreamLog> number) {
        Positions.Builder numbers = Positions.builder();
        logs.forEachLong((stream, log) -> numbers.put(stream, number.applyAsLong(log)));
        return numbers.build();
    }
}
