package io.chimera.processor.staging.sketch;

import org.agrona.DirectBuffer;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * The number of distinct values (Flajolet et al.: HyperLogLog, 2007) in 4,096 registers; up to some 380 values the sketch
 * remembers each instead. Registers are greatest values, so they do not depend on the order. The estimate is the one that
 * is drawn from them alone: HyperLogLog's other one, from the order in which values came, is better by a fifth and differs from one
 * order to the next.
 */
public final class DistinctSketch implements Sketch {
    /** 4,096 registers: a standard error of 1.04 / 64 = 1.6 %. */
    static final int REGISTERS_LOG2 = 12;

    /** A byte for each, for packing them takes longer than taking the values does. */
    private static final TgtHllType TYPE = TgtHllType.HLL_8;

    private HllSketch sketch;

    DistinctSketch() {
        sketch = new HllSketch(REGISTERS_LOG2, TYPE);
    }

    DistinctSketch(byte[] image) {
        sketch = HllSketch.heapify(image);
    }

    @Override
    public void take(DirectBuffer items, int offset, int end) {
        for (int item = offset; item < end; item += Long.BYTES) {
            sketch.update(items.getLong(item));
        }
    }

    @Override
    public void merge(Sketch from) {
        Union union = new Union(REGISTERS_LOG2);
        union.update(sketch);
        union.update(((DistinctSketch) from).sketch);
        sketch = union.getResult(TYPE);
    }

    @Override
    public byte[] image() {
        return sketch.toCompactByteArray();
    }

    /** How many different values it has taken, about. */
    public long distinct() {
        return Math.round(sketch.getCompositeEstimate());
    }
}
