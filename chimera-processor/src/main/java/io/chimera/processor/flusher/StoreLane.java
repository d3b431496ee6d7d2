package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.NamedStore;
import io.chimera.processor.RefusalLimits;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one store, which closes during an outage. When the store refuses rows, or fails at them, the lane writes a
 * known-good row right after: the probe row of the store, or the newest row that the store acknowledged. If the store accepts
 * it, the rows are in doubt; if not, the store is in an outage. The flusher's thread, which the store may block.
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
    private volatile Held held;

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

    /** What became of rows. */
    enum Outcome {
        TAKEN,
        /** The store did not take them, and a known-good row right after: see {@link #refusal}. */
        REFUSED,
        /** The store refused them, and no row is known to be good. The lane closes. */
        UNPROVEN,
        /** The store is in an outage: all of them have to be written again. */
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

    /** Whether it makes sense to try now. */
    boolean isOpen() {
        return health.isDue(clock.nanoTime());
    }

    /**
     * Which of several waiting flushes begins: the oldest, or another one each time during an outage, when the rows of one
     * flush may be the reason.
     */
    int turn(int flushes) {
        return health.isOut() ? (turn++ & Integer.MAX_VALUE) % flushes : 0;
    }

    Outcome write(List<Row> rows) {
        long beganNs = clock.nanoTime();
        Outcome outcome = attempt(rows);
        if (outcome == Outcome.TAKEN) {
            health.wasWritten(clock.nanoTime());
            badSeries.taken(rows);
            counters.add(ProcessorCounter.STORE_BATCHES, rows.isEmpty() ? 0 : 1); // no row is a question, and no batch
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
                    wasContent ? "It refuses known-good rows too. Check the store and its url. " + refusal : refusal,
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
        } catch (RuntimeException e) { // a defect of the store's plugin: it may help to try again, and loses nothing
            refusal = e + ".";
            return Outcome.FAILED;
        }
    }

    /** Whether a refusal can be told from an outage. */
    boolean hasKnownGood() {
        return acknowledged != null || target.store().probeRow().isPresent();
    }

    /**
     * Writes a known-good row, every other time twice: a load balancer that gives requests in turn to a broken and a working
     * server would otherwise give the same rows to the broken one each time.
     */
    private boolean acceptsKnownGood() {
        boolean isAccepted = writeKnownGood();
        return isAccepted && (++checks % 2 == 0 || writeKnownGood());
    }

    /** The probe row first: a replay may have written another value of the acknowledged row since. */
    private boolean writeKnownGood() {
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

    /** Why rows were not taken last. */
    String refusal() {
        return refusal;
    }

    /** Whether the store called the rows bad that it did not take last, e.g. with status 400 of HTTP, not 500. */
    boolean isContent() {
        return isContent;
    }

    /** Reads rows back; null when the store is away. */
    List<Row> read(List<Row> written) {
        long beganNs = clock.nanoTime();
        counters.increment(ProcessorCounter.STORE_READS);
        try {
            List<Row> found = ((VerifiableStore) target.store()).read(written);
            health.wasRead(clock.nanoTime());
            return found;
        } catch (StoreException e) { // what cannot be read is not verified, whatever the reason
            health.failed(StoreHealth.Cause.READ, e.getMessage(), beganNs);
            return null;
        } catch (RuntimeException e) {
            health.failed(StoreHealth.Cause.READ, e + ".", beganNs);
            return null;
        }
    }

    /** Asks a store that was away, and to which nobody has anything to write, whether it is back. */
    boolean probe() {
        if (!health.isOut() || !isOpen()) {
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

    /** Says which rows wait for a decision; null for none. */
    void hold(Held now) {
        Held before = held;
        if (before == null && now != null) {
            counters.increment(ProcessorCounter.STORE_OUTAGES);
            LOG.warn("Store {} refuses too many rows: {}", name(), now.reason);
        } else if (before != null && now == null) {
            LOG.info("Store {} has no rows left that wait for a decision.", name());
        }
        held = now == null || before == null ? now : new Held(now.reason, before.sinceMs);
    }

    /** Bad rows were set aside. Logged at most once a minute. */
    void onSetAside(int rows, Row example, String reason) {
        unreported += rows;
        long nowNs = clock.nanoTime();
        if (hasReported && nowNs - reportedNs < WARN_EVERY_NS) {
            return;
        }
        LOG.warn(
                "Store {} cannot take {} rows; they are in the dead letters, the others are stored. Example: metric={} tags={}"
                        + " reason={} Correct the sender or the pipeline.",
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

    /** Why the store does not take rows; null when it does. Any thread. */
    String outage() {
        String away = health.outage();
        Held waiting = held;
        return away != null || waiting == null
                ? away
                : "store " + name() + " refuses too many rows since " + Instant.ofEpochMilli(waiting.sinceMs) + ": "
                        + waiting.reason;
    }

    /** Wall-clock time at which the outage began; the largest long when there is none. Any thread. */
    long outSinceMs() {
        Held waiting = held;
        return Math.min(health.sinceMs(), waiting == null ? Long.MAX_VALUE : waiting.sinceMs);
    }
}
