package io.chimera.processor.staging.composer;

import io.chimera.common.composition.Composition;
import io.chimera.processor.After;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The blocks of a composition with the states that they have of partitions, along one line of cycles: the live ones, or those
 * that are repeated. A state is that of the end of a cycle; half of a cycle makes it good for nothing. The composer's thread.
 */
final class StateLine {
    /** No state. */
    private static final long NONE = -1;

    private final Composition blocks;

    /** By partition the cycle at whose end the state is. */
    private final long[] asOf;

    StateLine(After after, Composition blocks) {
        this.blocks = blocks;
        asOf = new long[after.partitions()];
        Arrays.fill(asOf, NONE);
    }

    Composition blocks() {
        return blocks;
    }

    /** Those of some partitions whose state is not that of the end of a cycle; before the first cycle there is none to be had. */
    BitSet missing(BitSet partitions, long cycle) {
        BitSet missing = new BitSet(asOf.length);
        for (int i = partitions.nextSetBit(0); i >= 0; i = partitions.nextSetBit(i + 1)) {
            if (asOf[i] != cycle) {
                missing.set(i);
            }
        }
        return missing;
    }

    /** Begins the states of partitions from nothing. */
    void reset(BitSet partitions) {
        for (int i = partitions.nextSetBit(0); i >= 0; i = partitions.nextSetBit(i + 1)) {
            blocks.forget(i);
            blocks.open(i);
            asOf[i] = NONE;
        }
    }

    /** What follows changes the states of partitions. */
    void changing(BitSet partitions) {
        set(partitions, NONE);
    }

    /** The states of partitions are those of the end of a cycle. */
    void changed(BitSet partitions, long cycle) {
        set(partitions, cycle);
    }

    private void set(BitSet partitions, long cycle) {
        for (int i = partitions.nextSetBit(0); i >= 0; i = partitions.nextSetBit(i + 1)) {
            asOf[i] = cycle;
        }
    }

    void close() {
        blocks.close();
    }
}
