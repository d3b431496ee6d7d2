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
 * Estimates quantiles with a relative error of at most 1 % (Masson, Rim, Lee: DDSketch, VLDB 2019): counts of numbers
 * in bins whose bounds grow by 2 %. Neither counts nor the collapse of bins depend on the order of numbers: on either
 * side of zero the 2,048 bins farthest from zero are kept, and a number nearer to zero counts in the nearest kept bin.
 */
public final class QuantileSketch implements Sketch {
    /** Maximum relative error of a quantile. */
    static final double ERROR_MAX = 0.01;

    /** Maximum number of bins on either side of zero: numbers between x and 10^17 x. */
    private static final int BINS_MAX = 2048;

    /** Mapping by arithmetic with equal results on every machine; a logarithm may differ. */
    private static final IndexMapping MAPPING = new CubicallyInterpolatedMapping(ERROR_MAX);

    private final DDSketch sketch;

    QuantileSketch() {
        sketch = new DDSketch(MAPPING, QuantileSketch::bins);
    }

    QuantileSketch(byte[] image) {
        try {
            sketch = DDSketch.decode(ByteArrayInput.wrap(image), QuantileSketch::bins, MAPPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // impossible: the input is an array
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

    /** Adds a number {@code count} times. */
    void add(double number, long count) {
        if (count > 0) {
            double most = MAPPING.maxIndexableValue();
            sketch.accept(Math.max(-most, Math.min(most, number)), (double) count);
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
            throw new UncheckedIOException(e); // impossible: the output is an array
        }
        return output.trimmedCopy();
    }

    /** Returns whether no number was added. */
    public boolean isEmpty() {
        return sketch.isEmpty();
    }

    /**
     * Returns the number of rank {@code share x (numbers - 1)}, rounded down, counted from 0: the given share of the
     * other numbers is at or below the result.
     *
     * @param share 0 to 1
     */
    public double quantile(double share) {
        return sketch.getValueAtQuantile(share);
    }
}
