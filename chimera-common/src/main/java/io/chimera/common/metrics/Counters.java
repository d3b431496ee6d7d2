package io.chimera.common.metrics;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ObjLongConsumer;

/**
 * Counters of one node, one per constant of the enum, each on its own cache line. Any thread adds, once per batch; any
 * thread reads.
 *
 * @param <E> the enum that lists the counters
 */
public final class Counters<E extends Enum<E> & CounterDescriptor> {
    /** Distance between counters: 8 longs are the 64 bytes of a cache line. */
    private static final int STRIDE = 8;

    private final Class<E> type;
    private final AtomicLongArray values;

    /** Creates counters with value 0. */
    public Counters(Class<E> type) {
        this.type = type;
        values = new AtomicLongArray(type.getEnumConstants().length * STRIDE);
    }

    /** Adds an amount to a counter. */
    @HotPath
    public void add(E counter, long amount) {
        values.getAndAdd(indexOf(counter), amount);
    }

    /** Adds one to a counter. */
    @HotPath
    public void increment(E counter) {
        add(counter, 1);
    }

    /** Current value of a counter. */
    public long get(E counter) {
        return values.get(indexOf(counter));
    }

    /** Enum of the counters. */
    public Class<E> type() {
        return type;
    }

    /** Passes the current values of all counters to a consumer, in the order of the enum. */
    public void forEach(ObjLongConsumer<? super E> consumer) {
        for (E counter : type.getEnumConstants()) {
            consumer.accept(counter, get(counter));
        }
    }

    @SuppressWarnings("EnumOrdinal") // an index in memory only, never stored or sent
    private static int indexOf(Enum<?> counter) {
        return counter.ordinal() * STRIDE;
    }
}
