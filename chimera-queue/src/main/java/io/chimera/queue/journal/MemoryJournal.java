package io.chimera.queue.journal;

import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.control.ControlCopy;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A journal in memory for tests and simulations that can lose power, be full, and refuse appends. The journal outlives
 * its node: {@link #close()} only ends the access of the node, and {@link #reopen()} is the next start. Any thread.
 */
public final class MemoryJournal implements Journal {
    /** Maximum number of known past cycles; the simulation reads them after every change. */
    private static final int CYCLES_MAX = 64;

    /** Source of ids; a simulation only compares them. */
    private static final AtomicLong IDS = new AtomicLong();

    private final SyncPolicy sync;
    private final long syncEveryNs;
    private final Clock clock;
    private final TreeMap<Long, Log> logs = new TreeMap<>();

    /** Streams named by the mark. */
    private final Set<Long> marked = new HashSet<>();

    /** Batches that a power cut can lose, in the order of writing. */
    private final ArrayDeque<Unsynced> unsynced = new ArrayDeque<>();

    private Watcher watcher = new Watcher() {};
    private long bytesMax = Long.MAX_VALUE;
    private long bytes;
    private long syncedNs;
    private boolean refuses;
    private boolean failsToSync;
    private volatile boolean retains;
    private final Retained retained = new MemoryRetained();
    private final ControlCopy control = new MemoryCopy();
    private final JournalIdentity identity = new MemoryIdentity(IDS.incrementAndGet());

    /** A control copy that is durable at once. */
    private static final class MemoryCopy implements ControlCopy {
        private volatile ControlState kept = ControlState.NONE;

        @Override
        public ControlState kept() {
            return kept;
        }

        @Override
        public void keep(ControlState next) {
            kept = next;
        }

        @Override
        public String trouble() {
            return "";
        }
    }

    /** An identity that is durable at once. */
    private static final class MemoryIdentity implements JournalIdentity {
        private final long id;
        private volatile Optional<String> registeredIn = Optional.empty();
        private volatile boolean isUnproven;

        private MemoryIdentity(long id) {
            this.id = id;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public List<Long> replaced() {
            return List.of();
        }

        @Override
        public Optional<String> registeredIn() {
            return registeredIn;
        }

        @Override
        public boolean isUnproven() {
            return isUnproven;
        }

        @Override
        public void noteRegistered(String history, boolean hasNoProof) {
            registeredIn = Optional.of(history);
            isUnproven = hasNoProof;
        }

        @Override
        public void endUnproven() {
            isUnproven = false;
        }
    }

    @Override
    public JournalIdentity identity() {
        return identity;
    }

    @Override
    public ControlCopy control() {
        return control;
    }

    private record Unsynced(Log log, long lastSeq) {}

    /** Observes the contents of the journal, for checks. */
    public interface Watcher {
        /** Called after an append; the buffer must not be changed. */
        default void appended(DirectBuffer batch) {}

        /** Called after records were truncated or lost. */
        default void shrunk() {}
    }

    /** Creates an empty journal. */
    public MemoryJournal(SyncPolicy sync, long syncEveryMs, Clock clock) {
        this.sync = sync;
        this.syncEveryNs = TimeUnit.MILLISECONDS.toNanos(syncEveryMs);
        this.clock = clock;
        syncedNs = clock.nanoTime();
    }

    /** Sets the watcher of all further changes. */
    public synchronized void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /** Sets the maximum size in bytes; a full journal refuses appends. */
    public synchronized void limit(long newBytesMax) {
        bytesMax = newBytesMax;
    }

    /** Starts or stops refusing all appends. */
    public synchronized void refuse(boolean newRefuses) {
        refuses = newRefuses;
    }

    /** Starts or stops ignoring syncs, like a hanging disk. */
    public synchronized void failToSync(boolean newFailsToSync) {
        failsToSync = newFailsToSync;
    }

    /** Simulates a crash of the machine: records that are not durable are lost. */
    public synchronized void crash() {
        crash(0);
    }

    /**
     * Simulates a crash of the machine after some batches that are not durable had reached the disk.
     *
     * @param kept number of surviving batches that are not durable, in the order of writing
     */
    public synchronized void crash(int kept) {
        Map<Log, Long> ends = new HashMap<>();
        for (int i = 0; i < kept && !unsynced.isEmpty(); i++) {
            Unsynced batch = unsynced.poll();
            ends.put(batch.log, batch.lastSeq);
        }
        unsynced.clear();
        logs.values().forEach(log -> log.endAt(Math.max(log.durable, ends.getOrDefault(log, 0L))));
        count();
        watcher.shrunk();
    }

    /** Number of batches that are not durable yet. */
    public synchronized int unsynced() {
        return unsynced.size();
    }

    /** Starts again with the present contents: all written records count as durable. */
    public synchronized void reopen() {
        becomeDurable();
        syncedNs = clock.nanoTime();
    }

    private void becomeDurable() {
        logs.values().forEach(log -> log.durable = log.position);
        unsynced.clear();
    }

    @Override
    public synchronized Appended append(DirectBuffer buffer, int offset, int length) {
        long stream = BatchLayout.stream(buffer, offset);
        long firstSeq = BatchLayout.firstSeq(buffer, offset);
        long lastSeq = firstSeq + BatchLayout.count(buffer, offset) - 1;
        Log log = logs.get(stream);
        long position = log == null ? 0 : log.position;
        if (lastSeq <= position) {
            return Appended.DUPLICATE;
        }
        boolean isFirst = log != null && position == log.base && firstSeq <= position;
        if (firstSeq != position + 1 && !isFirst) {
            return Appended.GAP;
        }
        if (refuses || bytes + length > bytesMax) {
            return Appended.FULL;
        }
        byte[] batch = new byte[length];
        buffer.getBytes(offset, batch);
        Log to = logs.computeIfAbsent(stream, ignored -> new Log());
        UnsafeBuffer kept = new UnsafeBuffer(batch);
        to.batches.put(lastSeq, kept);
        to.position = lastSeq;
        if (sync == SyncPolicy.NONE) {
            to.durable = lastSeq;
        } else {
            unsynced.add(new Unsynced(to, lastSeq));
        }
        bytes += length;
        watcher.appended(kept);
        return Appended.OK;
    }

    @Override
    public synchronized boolean sync() {
        boolean isTime = sync != SyncPolicy.INTERVAL || clock.nanoTime() - syncedNs >= syncEveryNs;
        if (!isTime || failsToSync) {
            return false;
        }
        syncedNs = clock.nanoTime();
        if (unsynced.isEmpty()) {
            return false;
        }
        becomeDurable();
        return true;
    }

    @Override
    public synchronized long position(long stream) {
        Log log = logs.get(stream);
        return log == null ? 0 : log.position;
    }

    @Override
    public synchronized long durable(long stream) {
        Log log = logs.get(stream);
        return log == null ? 0 : log.durable;
    }

    @Override
    public synchronized Positions durables() {
        return each(log -> log.durable);
    }

    @Override
    public synchronized Positions bases() {
        return each(log -> log.base);
    }

    private Positions each(ToLongFunction<Log> number) {
        Positions.Builder numbers = Positions.builder();
        logs.forEach((stream, log) -> numbers.put(stream, number.applyAsLong(log)));
        return numbers.build();
    }

    @Override
    public BatchFeed feed(StreamRange range) {
        return new Feed(range, false);
    }

    /** Keeps the records below the mark, or drops them and keeps no further records. */
    public synchronized void retain(boolean newRetains) {
        retains = newRetains;
        if (!retains) {
            logs.values().forEach(log -> log.retained.clear());
        }
    }

    @Override
    public Retained retained() {
        return retained;
    }

    private synchronized boolean canReadAll(StreamRange range) {
        Log log = logs.get(range.stream());
        return log != null && log.canRead(range.after(), range.upTo());
    }

    @Override
    public synchronized void truncate(Positions cut) {
        cut.forEach((stream, seq) ->
                logs.computeIfAbsent(stream, ignored -> new Log()).raiseBase(seq, retains));
        marked.removeIf(stream -> {
            Log log = logs.get(stream);
            boolean isForgotten = !cut.names(stream) && (log == null || log.isEmpty());
            if (isForgotten) {
                logs.remove(stream);
            }
            return isForgotten;
        });
        marked.addAll(cut.streams());
        count();
        watcher.shrunk();
    }

    private void count() {
        bytes = logs.values().stream()
                .flatMap(log -> log.batches.values().stream())
                .mapToLong(UnsafeBuffer::capacity)
                .sum();
    }

    @Override
    public synchronized long bytes() {
        return bytes;
    }

    @Override
    public void close() {}

    private synchronized BatchFeed.Step read(Feed feed) {
        Log log = logs.get(feed.stream);
        if (log == null || feed.wanted > log.position) {
            return BatchFeed.Step.WAIT;
        }
        Map.Entry<Long, UnsafeBuffer> batch =
                feed.wanted > log.base || feed.readsRetained ? log.find(feed.wanted) : null;
        if (batch == null) {
            return BatchFeed.Step.GAP;
        }
        feed.buffer = batch.getValue();
        feed.wanted = batch.getKey() + 1;
        return BatchFeed.Step.BATCH;
    }

    private final class MemoryRetained implements Retained {
        private final ConcurrentSkipListMap<Long, PastCycle> noted = new ConcurrentSkipListMap<>();

        @Override
        public BatchFeed feed(StreamRange range) {
            return new Feed(range, true);
        }

        @Override
        public boolean canRead(StreamRange range) {
            return canReadAll(range);
        }

        @Override
        public void hold(boolean isHeld) {}

        @Override
        public void note(PastCycle cycle) {
            if (retains) {
                noted.put(cycle.number(), cycle);
                if (noted.size() > CYCLES_MAX) {
                    noted.pollFirstEntry();
                }
            }
        }

        @Override
        public SortedMap<Long, PastCycle> cycles() {
            TreeMap<Long, PastCycle> known = new TreeMap<>(noted);
            known.values().removeIf(cycle -> !cycle.ranges().stream().allMatch(this::canRead));
            return known;
        }

        @Override
        public List<CycleSpan> spans() {
            return CycleSpan.of(cycles().keySet());
        }

        @Override
        public long bytes() {
            synchronized (MemoryJournal.this) {
                return logs.values().stream()
                        .flatMap(log -> log.retained.values().stream())
                        .mapToLong(UnsafeBuffer::capacity)
                        .sum();
            }
        }
    }

    /** Batches of one stream, by the sequence number of the last record. */
    private static final class Log {
        private final TreeMap<Long, UnsafeBuffer> batches = new TreeMap<>();
        private final TreeMap<Long, UnsafeBuffer> retained = new TreeMap<>();
        private long base;
        private long position;
        private long durable;

        boolean isEmpty() {
            return batches.isEmpty() && retained.isEmpty();
        }

        /** Returns the batch with a record, and the last sequence number of the batch; null without such a batch. */
        Map.@Nullable Entry<Long, UnsafeBuffer> find(long seq) {
            Map.Entry<Long, UnsafeBuffer> kept = seq > base ? null : retained.ceilingEntry(seq);
            Map.Entry<Long, UnsafeBuffer> found = kept != null ? kept : batches.ceilingEntry(seq);
            return found == null || BatchLayout.firstSeq(found.getValue(), 0) > seq ? null : found;
        }

        boolean canRead(long after, long upTo) {
            if (after >= base) {
                return upTo <= position;
            }
            long reached = after;
            while (reached < upTo) {
                Map.Entry<Long, UnsafeBuffer> batch = find(reached + 1);
                if (batch == null) {
                    return false;
                }
                reached = batch.getKey();
            }
            return true;
        }

        void raiseBase(long seq, boolean retains) {
            if (seq > base) {
                SortedMap<Long, UnsafeBuffer> done = batches.headMap(seq, true);
                if (retains) {
                    retained.putAll(done);
                }
                done.clear();
                base = seq;
                position = Math.max(position, seq);
                durable = Math.max(durable, seq);
            }
        }

        void endAt(long seq) {
            batches.tailMap(seq, false).clear();
            position = seq;
        }
    }

    private final class Feed implements BatchFeed {
        private final long stream;
        private final long upTo;
        private final boolean readsRetained;
        private UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private long wanted;

        Feed(StreamRange range, boolean readsRetained) {
            this.readsRetained = readsRetained;
            stream = range.stream();
            upTo = range.upTo();
            wanted = range.after() + 1;
        }

        @Override
        public Step next() {
            return wanted > upTo ? Step.END : read(this);
        }

        @Override
        public DirectBuffer buffer() {
            return buffer;
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
