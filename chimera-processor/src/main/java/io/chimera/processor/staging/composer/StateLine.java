package io.chimera.processor.staging.composer;

import io.chimera.common.composition.Composition;
import io.chimera.processor.pipeline.ProcessorComposition;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Blocks of a composition with their states per partition along a sequence of cycles: the live cycles, or the replay
 * cycles. A valid state is a state at the end of a cycle; a partly run cycle invalidates the state. The composer's
 * thread.
 */
final class StateLine {
    /** Mark of a partition without valid state. */
    private static final long NONE = -1;

    private final Composition blocks;

    /** Cycle, by partition, at whose end the state is valid. */
    private final long[] asOf;

    StateLine(ProcessorComposition after, Composition blocks) {
        this.blocks = blocks;
        asOf = new long[after.partitions()];
        Arrays.fill(asOf, NONE);
    }

    Composition blocks() {
        return blocks;
    }

    /** Returns the partitions without a state as of the end of a cycle. */
    BitSet missing(BitSet partitions, long cycle) {
        BitSet missing = new BitSet(asOf.length);
        for (int i = partitions.nextSetBit(0); i >= 0; i = partitions.nextSetBit(i + 1)) {
            if (asOf[i] != cycle) {
                missing.set(i);
            }
        }
        return missing;
    }

    /** Resets the states of partitions to empty. */
    void reset(BitSet partitions) {
        for (int i = partitions.nextSetBit(0); i >= 0; i = partitions.nextSetBit(i + 1)) {
            blocks.forget(i);
            blocks.open(i);
            asOf[i] = NONE;
        }
    }

    /** Invalidates the states of partitions before a run. */
    void changing(BitSet partitions) {
        set(partitions, NONE);
    }

    /** Records the states of partitions as of the end of a cycle. */
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
