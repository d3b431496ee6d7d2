package io.chimera.processor.staging.sketch;

import org.agrona.DirectBuffer;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;

/**
 * Estimates the number of distinct values (Flajolet et al.: HyperLogLog, 2007) in 4,096 registers; up to about 380
 * values are stored exactly. A register is a maximum, so registers do not depend on the order of values. The estimate
 * uses only the registers: HyperLogLog's order-based estimate is more accurate by a fifth but differs from order to
 * order.
 */
public final class DistinctSketch implements Sketch {
    /** Base-2 logarithm of the number of registers. 4,096 registers: a standard error of 1.04 / 64 = 1.6 %. */
    static final int REGISTERS_LOG2 = 12;

    /** Register format with a byte per register, because packing registers takes longer than adding values. */
    private static final TgtHllType TYPE = TgtHllType.HLL_8;

    static {
        SketchMemory.load();
    }

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

    /** Returns the approximate number of distinct values. */
    public long distinct() {
        return Math.round(sketch.getCompositeEstimate());
    }
}
