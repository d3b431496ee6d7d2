package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.NamedStore;
import java.util.List;

/** The way to one store, which closes while the store is away. The flusher's thread, which the store may block. */
final class StoreLane {
    private final NamedStore target;
    private final StoreHealth health;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private String refusal = "";

    StoreLane(NamedStore target, StoreHealth health, Clock clock, Counters<ProcessorCounter> counters) {
        this.target = target;
        this.health = health;
        this.clock = clock;
        this.counters = counters;
    }

    /** What became of rows. */
    enum Outcome {
        TAKEN,
        /** For their content: see {@link #refusal}. */
        REFUSED,
        /** The store is away: all of them have to be written again. */
        FAILED
    }

    String name() {
        return target.name();
    }

    int batchRowsMax() {
        return target.store().batchRowsMax();
    }

    /** Whether it makes sense to try now. */
    boolean isOpen() {
        return health.isDue(clock.nanoTime());
    }

    Outcome write(List<Row> rows) {
        long beganNs = clock.nanoTime();
        try {
            target.store().write(rows);
            health.answered(clock.nanoTime());
            counters.add(ProcessorCounter.STORE_BATCHES, rows.isEmpty() ? 0 : 1); // no row is a question, and no batch
            counters.add(ProcessorCounter.FLUSHER_ROWS, rows.size());
            return Outcome.TAKEN;
        } catch (StoreException e) {
            if (e.retryable()) {
                health.failed(e, beganNs, clock.nanoTime());
                return Outcome.FAILED;
            }
            health.answered(clock.nanoTime());
            refusal = e.getMessage();
            return Outcome.REFUSED;
        } catch (RuntimeException e) { // a defect of the store's plugin: it may help to try again, and loses nothing
            health.failed(e, beganNs, clock.nanoTime());
            return Outcome.FAILED;
        }
    }

    /** Why rows were refused last. */
    String refusal() {
        return refusal;
    }

    /** Reads rows back; null when the store is away. */
    List<Row> read(List<Row> written) {
        long beganNs = clock.nanoTime();
        counters.increment(ProcessorCounter.STORE_READS);
        try {
            List<Row> found = ((VerifiableStore) target.store()).read(written);
            health.answered(clock.nanoTime());
            return found;
        } catch (StoreException | RuntimeException e) { // what cannot be read is not verified, whatever the reason
            health.failed(e, beganNs, clock.nanoTime());
            return null;
        }
    }

    /** Asks a store that was away, and to which nobody has anything to write, whether it is back. */
    boolean probe() {
        if (health.outage() == null || !isOpen()) {
            return false;
        }
        write(List.of());
        return true;
    }

    /** Why the store does not take rows; null when it does. Any thread. */
    String outage() {
        return health.outage();
    }
}
