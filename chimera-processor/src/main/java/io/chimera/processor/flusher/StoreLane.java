package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.RefusalLimits;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to a store, closed during an outage. When the store refuses rows or fails to write them, the lane writes a
 * known-good row immediately afterwards: the probe row of the store, or the newest acknowledged row. If the store
 * accepts the known-good row, the refused rows are in doubt; otherwise the store is in an outage.
 *
 * <p>A store that writes shards as a whole has one open shard at a time, and the lane belongs to the flush of the open
 * shard until its commit or its end. Such a store checks itself whether it accepts rows. A failure breaks the open
 * shard: its flush begins again. The flusher's thread, which the store may block.
 */
final class StoreLane {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLane.class);

    private static final long WARN_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

    private final NamedStore target;
    private final RefusalLimits limits;
    private final StoreHealth health;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private final BadSeries badSeries = new BadSeries();
    private Row acknowledged;
    private String refusal = "";
    private boolean isContent;
    private int checks;
    private int turn;
    private long unreported;
    private long reportedNs;
    private boolean hasReported;
    private OpenShard open;
    private volatile Held held;

    /** Open shard of the store. */
    private static final class OpenShard {
        private final Object flush;
        private final ShardWrite identity;
        private long rows;
        private boolean isBroken;

        OpenShard(Object flush, ShardWrite identity) {
            this.flush = flush;
            this.identity = identity;
        }
    }

    /** Rows that wait for a decision. */
    record Held(String reason, long sinceMs) {}

    StoreLane(
            NamedStore target,
            RefusalLimits limits,
            StoreHealth health,
            Clock clock,
            Counters<ProcessorCounter> counters) {
        this.target = target;
        this.limits = limits;
        this.health = health;
        this.clock = clock;
        this.counters = counters;
    }

    /** Result of a write. */
    enum Outcome {
        TAKEN,
        /** The store did not take the rows but took a known-good row immediately afterwards: see {@link #refusal}. */
        REFUSED,
        /** The store refused the rows, and no row is known to be good. The lane closes. */
        UNPROVEN,
        /** The store is in an outage: all rows of the write have to be written again. */
        FAILED
    }

    String name() {
        return target.name();
    }

    RefusalLimits limits() {
        return limits;
    }

    Clock clock() {
        return clock;
    }

    BadSeries badSeries() {
        return badSeries;
    }

    int batchRowsMax() {
        return target.store().batchRowsMax();
    }

    /** Returns whether an attempt is due. */
    boolean isOpen() {
        return health.isDue(clock.nanoTime());
    }

    /**
     * Returns the index of the flush that begins: the oldest, or each flush in turn during an outage, because the rows
     * of a flush may be the cause.
     */
    int turn(int flushes) {
        return health.isOut() ? (turn++ & Integer.MAX_VALUE) % flushes : 0;
    }

    /** Returns whether the store writes shards as a whole. */
    boolean writesShards() {
        return target.store() instanceof ShardStore;
    }

    /** Returns whether a flush may use the store now. */
    @SuppressWarnings("ReferenceEquality") // a flush is itself only
    boolean isFreeFor(Object flush) {
        return open == null || open.flush == flush;
    }

    /** Begins the shard of a flush; false when the store fails. */
    boolean begin(Object flush, ShardWrite shard) {
        if (!call(store -> store.begin(shard))) {
            return false;
        }
        open = new OpenShard(flush, shard);
        return true;
    }

    /** Returns whether the open shard failed, so that its flush has to begin again. */
    boolean isBroken() {
        return open != null && open.isBroken;
    }

    /** Commits the open shard; false when its flush has to begin again. */
    boolean commit() {
        OpenShard ending = open;
        open = null;
        if (!call(store -> store.commit(ending.identity))) {
            counters.increment(ProcessorCounter.STORE_SHARDS_BROKEN);
            return false;
        }
        health.wasWritten(clock.nanoTime());
        counters.increment(ProcessorCounter.STORE_SHARDS);
        counters.add(ProcessorCounter.FLUSHER_ROWS, ending.rows);
        return true;
    }

    /** Gives up the open shard. */
    void abort() {
        OpenShard ending = open;
        open = null;
        counters.increment(ProcessorCounter.STORE_SHARDS_BROKEN);
        try {
            ((ShardStore) target.store()).abort(ending.identity);
        } catch (RuntimeException e) { // A defect of the store's plugin; the next call shows the state of the store.
            LOG.warn("Store {} cannot give up {}: {}", name(), ending.identity, e.toString());
        }
    }

    private interface ShardCall {
        void on(ShardStore store) throws StoreException;
    }

    private boolean call(ShardCall call) {
        long beganNs = clock.nanoTime();
        try {
            call.on((ShardStore) target.store());
            return true;
        } catch (StoreException e) {
            health.failed(StoreHealth.Cause.WRITE, e.getMessage(), beganNs);
        } catch (RuntimeException e) { // A defect of the store's plugin: a retry may help and loses nothing.
            health.failed(StoreHealth.Cause.WRITE, e + ".", beganNs);
        }
        return false;
    }

    Outcome write(List<Row> rows) {
        return open == null ? writeRows(rows) : writeOpen(rows);
    }

    /** Writes rows of the open shard. Only the commit proves that the store accepts rows. */
    private Outcome writeOpen(List<Row> rows) {
        long beganNs = clock.nanoTime();
        Outcome outcome = attempt(rows);
        if (outcome == Outcome.TAKEN) {
            badSeries.taken(rows);
            open.rows += rows.size();
            counters.increment(ProcessorCounter.STORE_BATCHES);
            return Outcome.TAKEN;
        }
        String reason = refusal;
        boolean wasContent = outcome == Outcome.REFUSED;
        if (wasContent && acceptsKnownGood()) {
            refusal = reason;
            isContent = true;
            return Outcome.REFUSED;
        }
        open.isBroken = true;
        health.failed(
                StoreHealth.Cause.WRITE,
                wasContent ? "The store refuses known-good rows too. " + refusal : refusal,
                beganNs);
        return Outcome.FAILED;
    }

    private Outcome writeRows(List<Row> rows) {
        long beganNs = clock.nanoTime();
        Outcome outcome = attempt(rows);
        if (outcome == Outcome.TAKEN) {
            health.wasWritten(clock.nanoTime());
            badSeries.taken(rows);
            counters.add(ProcessorCounter.STORE_BATCHES, rows.isEmpty() ? 0 : 1); // an empty write is only a probe
            counters.add(ProcessorCounter.FLUSHER_ROWS, rows.size());
            acknowledged = rows.isEmpty() ? acknowledged : rows.get(rows.size() - 1);
            return Outcome.TAKEN;
        }
        String reason = refusal;
        boolean wasContent = outcome == Outcome.REFUSED;
        if (rows.isEmpty() || !hasKnownGood()) {
            health.failed(StoreHealth.Cause.WRITE, reason, beganNs);
            return wasContent && !rows.isEmpty() ? Outcome.UNPROVEN : Outcome.FAILED;
        }
        boolean isAccepted = acceptsKnownGood();
        if (isAccepted) {
            health.wasWritten(clock.nanoTime());
        } else {
            health.failed(
                    StoreHealth.Cause.WRITE,
                    wasContent
                            ? "The store refuses known-good rows too. Check the store and its url. " + refusal
                            : refusal,
                    beganNs);
        }
        refusal = reason;
        isContent = wasContent;
        return isAccepted ? Outcome.REFUSED : Outcome.FAILED;
    }

    private Outcome attempt(List<Row> rows) {
        try {
            target.store().write(rows);
            return Outcome.TAKEN;
        } catch (StoreException e) {
            refusal = e.getMessage();
            return e.retryable() ? Outcome.FAILED : Outcome.REFUSED;
        } catch (RuntimeException e) { // A defect of the store's plugin: a retry may help and loses nothing.
            refusal = e + ".";
            return Outcome.FAILED;
        }
    }

    /** Returns whether a refusal can be distinguished from an outage. */
    boolean hasKnownGood() {
        return writesShards()
                || acknowledged != null
                || target.store().probeRow().isPresent();
    }

    /**
     * Writes a known-good row; every other check writes the row twice. Otherwise a load balancer that alternates
     * between a broken and a working server would send the same rows to the broken server each time.
     */
    private boolean acceptsKnownGood() {
        boolean isAccepted = writeKnownGood();
        return isAccepted && (++checks % 2 == 0 || writeKnownGood());
    }

    /** Writes the probe row first: a replay may have written another value of the acknowledged row since. */
    private boolean writeKnownGood() {
        if (writesShards()) {
            counters.increment(ProcessorCounter.STORE_PROBES);
            return attempt(List.of()) == Outcome.TAKEN;
        }
        Row probe = target.store().probeRow().orElse(null);
        Outcome outcome = probe == null ? Outcome.REFUSED : writeProbe(probe);
        if (outcome == Outcome.REFUSED && acknowledged != null) {
            outcome = writeProbe(acknowledged);
        }
        return outcome == Outcome.TAKEN;
    }

    private Outcome writeProbe(Row row) {
        counters.increment(ProcessorCounter.STORE_PROBES);
        return attempt(List.of(row));
    }

    /** Returns the reason of the last refusal. */
    String refusal() {
        return refusal;
    }

    /** Returns whether the last refusal was about the content of the rows, e.g. HTTP status 400, not 500. */
    boolean isContent() {
        return isContent;
    }

    private interface ReadCall {
        List<Row> rows() throws StoreException;
    }

    /** Reads rows back; null when the store fails. */
    List<Row> read(List<Row> written) {
        return read(() -> ((VerifiableStore) target.store()).read(written));
    }

    /** Reads the rows of a higher version in a store that writes shards as a whole; null when the store fails. */
    List<Row> superseding(List<Row> written, RowVersion version) {
        return read(() -> ((ShardStore) target.store()).superseding(written, version));
    }

    private List<Row> read(ReadCall call) {
        long beganNs = clock.nanoTime();
        counters.increment(ProcessorCounter.STORE_READS);
        try {
            List<Row> found = call.rows();
            health.wasRead(clock.nanoTime());
            return found;
        } catch (StoreException e) { // A failed read leaves the rows unverified, whatever the reason.
            health.failed(StoreHealth.Cause.READ, e.getMessage(), beganNs);
            return null;
        } catch (RuntimeException e) {
            health.failed(StoreHealth.Cause.READ, e + ".", beganNs);
            return null;
        }
    }

    /** Probes a store in an outage while no rows wait for the store; false when no probe is due. */
    boolean probe() {
        if (!health.isOut() || !isOpen() || open != null) {
            return false;
        }
        long beganNs = clock.nanoTime();
        if (!hasKnownGood()) {
            write(List.of());
        } else if (writeKnownGood()) {
            health.wasWritten(clock.nanoTime());
        } else {
            health.failed(StoreHealth.Cause.WRITE, refusal, beganNs);
        }
        return true;
    }

    /** Sets the rows that wait for a decision; null for none. */
    void hold(Held now) {
        Held before = held;
        if (before == null && now != null) {
            counters.increment(ProcessorCounter.STORE_OUTAGES);
            LOG.warn("Store {} refuses too many rows: {}", name(), now.reason);
        } else if (before != null && now == null) {
            LOG.info("Store {} no longer has refused rows without a decision.", name());
        }
        held = now == null || before == null ? now : new Held(now.reason, before.sinceMs);
    }

    /** Reports bad rows in the dead letters. Logged at most once a minute. */
    void onSetAside(int rows, Row example, String reason) {
        unreported += rows;
        long nowNs = clock.nanoTime();
        if (hasReported && nowNs - reportedNs < WARN_EVERY_NS) {
            return;
        }
        LOG.warn(
                "Store {} cannot take {} rows: written to the dead letters; all other rows are stored. Example:"
                        + " metric={} tags={} reason={} Correct the sender or the pipeline.",
                name(),
                unreported,
                shortened(example.metric()),
                shortened(example.tags().asMap().toString()),
                reason);
        hasReported = true;
        reportedNs = nowNs;
        unreported = 0;
    }

    private static String shortened(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }

    /** Returns why the store does not take rows; null when the store does. Any thread. */
    String outage() {
        String away = health.outage();
        Held waiting = held;
        return away != null || waiting == null
                ? away
                : "store " + name() + " refuses too many rows since " + Instant.ofEpochMilli(waiting.sinceMs) + ": "
                        + waiting.reason;
    }

    /** Returns the wall-clock time of the start of the outage; the largest long without an outage. Any thread. */
    long outSinceMs() {
        Held waiting = held;
        return Math.min(health.sinceMs(), waiting == null ? Long.MAX_VALUE : waiting.sinceMs);
    }
}
