package io.chimera.common.metrics;

import io.chimera.api.HotPath;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ObjLongConsumer;

/**
 * The counters of one node, one per constant of its enum, each on a cache line of its own. Any thread adds, once per
 * batch; any thread reads.
 *
 * @param <E> the enum that lists the counters
 */
public final class Counters<E extends Enum<E> & CounterDescriptor> {
    /** 8 longs are the 64 bytes of a cache line. */
    private static final int STRIDE = 8;

    private final Class<E> type;
    private final AtomicLongArray values;

    /** All counters at 0. */
    public Counters(Class<E> type) {
        this.type = type;
        values = new AtomicLongArray(type.getEnumConstants().length * STRIDE);
    }

    /** Adds to a counter. */
    @HotPath
    public void add(E counter, long amount) {
        values.getAndAdd(indexOf(counter), amount);
    }

    /** Adds one. */
    @HotPath
    public void increment(E counter) {
        add(counter, 1);
    }

    /** Present value. */
    public long get(E counter) {
        return values.get(indexOf(counter));
    }

    /** The enum that lists the counters. */
    public Class<E> type() {
        return type;
    }

    /** Present values of all counters, in the order of the enum. */
    public void forEach(ObjLongConsumer<? super E> consumer) {
        for (E counter : type.getEnumConstants()) {
            consumer.accept(counter, get(counter));
        }
    }

    @SuppressWarnings("EnumOrdinal") // an index in memory only: nothing stores or sends it
    private static int indexOf(Enum<?> counter) {
        return counter.ordinal() * STRIDE;
    }
}
