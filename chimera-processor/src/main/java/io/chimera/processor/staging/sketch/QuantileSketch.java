package io.chimera.processor.staging.sketch;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.encoding.ByteArrayInput;
import com.datadoghq.sketch.ddsketch.encoding.GrowingByteArrayOutput;
import com.datadoghq.sketch.ddsketch.mapping.CubicallyInterpolatedMapping;
import com.datadoghq.sketch.ddsketch.mapping.IndexMapping;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import com.datadoghq.sketch.ddsketch.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;

/**
 * Quantiles with a relative error of 1 % at most (Masson, Rim, Lee: DDSketch, VLDB 2019): counts of numbers in bins whose
 * bounds grow by 2 %. Counts add up in any order, and so do bins that are given up for lack of room: the 2,048 that are
 * farthest from zero are kept on either side of it, what is nearer to zero than these counts as the nearest of them.
 */
public final class QuantileSketch implements Sketch {
    /** The error bound: a result lies within this share of a true quantile. */
    static final double ERROR_MAX = 0.01;

    /** Bins on either side of zero: numbers between x and 10^17 x. */
    private static final int BINS_MAX = 2048;

    /** Its bins are found by arithmetic that is the same on every machine; a logarithm need not be. */
    private static final IndexMapping MAPPING = new CubicallyInterpolatedMapping(ERROR_MAX);

    private final DDSketch sketch;

    QuantileSketch() {
        sketch = new DDSketch(MAPPING, QuantileSketch::bins);
    }

    QuantileSketch(byte[] image) {
        try {
            sketch = DDSketch.decode(ByteArrayInput.wrap(image), QuantileSketch::bins, MAPPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no device
        }
    }

    private static Store bins() {
        return new CollapsingLowestDenseStore(BINS_MAX);
    }

    @Override
    public void take(DirectBuffer items, int offset, int end) {
        double most = MAPPING.maxIndexableValue();
        for (int item = offset; item < end; item += Double.BYTES) {
            sketch.accept(Math.max(-most, Math.min(most, items.getDouble(item))));
        }
    }

    @Override
    public void merge(Sketch from) {
        sketch.mergeWith(((QuantileSketch) from).sketch);
    }

    @Override
    public byte[] image() {
        GrowingByteArrayOutput output = GrowingByteArrayOutput.withDefaultInitialCapacity();
        try {
            sketch.encode(output, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no device
        }
        return output.trimmedCopy();
    }

    /**
     * The number which the given share of the others does not exceed: that of rank {@code share x (numbers - 1)}, rounded
     * down, counted from 0.
     *
     * @param share 0 to 1
     */
    public double quantile(double share) {
        return sketch.getValueAtQuantile(share);
    }
}
