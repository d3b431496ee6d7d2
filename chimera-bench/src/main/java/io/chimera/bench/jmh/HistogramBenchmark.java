package io.chimera.bench.jmh;

import com.datadoghq.sketch.ddsketch.DDSketch;
import com.datadoghq.sketch.ddsketch.encoding.ByteArrayInput;
import com.datadoghq.sketch.ddsketch.encoding.GrowingByteArrayOutput;
import com.datadoghq.sketch.ddsketch.mapping.CubicallyInterpolatedMapping;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import io.chimera.api.model.HistogramWriter;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Adds up histograms of {@value #BUCKETS} buckets, beside the library DDSketch with as many bins. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HistogramBenchmark {
    private static final int HISTOGRAMS = 1_000;
    private static final int BUCKETS = 160;
    private static final int SCALE = 5;
    private static final int MOVES = 20;
    private static final int COUNT_MAX = 200;
    private static final int BINS_MAX = 2_048;

    private final UnsafeBuffer items = new UnsafeBuffer(new byte[HISTOGRAMS * (1 << 10)]);
    private final int itemsEnd;
    private final CubicallyInterpolatedMapping mapping = new CubicallyInterpolatedMapping(0.01);
    private final List<DDSketch> sketches = new ArrayList<>();
    private final List<byte[]> images = new ArrayList<>();

    /** Creates histograms with moved buckets, and sketches of the library with the same counts. */
    public HistogramBenchmark() {
        SplittableRandom random = new SplittableRandom(1);
        HistogramWriter writer = new HistogramWriter();
        int at = 0;
        for (int i = 0; i < HISTOGRAMS; i++) {
            int first = random.nextInt(MOVES);
            DDSketch sketch = empty();
            writer.begin(SCALE, 0, 0);
            writer.buckets(first, BUCKETS);
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                long count = 1 + random.nextLong(COUNT_MAX);
                writer.bucket(count);
                sketch.accept(mapping.value(first + bucket), (double) count);
            }
            writer.buckets(0, 0);
            int length = writer.end(Double.NaN, Double.NaN, Double.NaN);
            items.putLong(at, length);
            items.putBytes(at + Long.BYTES, writer.bytes(), 0, length);
            at += Long.BYTES + BitUtil.align(length, Long.BYTES);
            sketches.add(sketch);
            images.add(image(sketch));
        }
        itemsEnd = at;
    }

    private DDSketch empty() {
        return new DDSketch(mapping, () -> new CollapsingLowestDenseStore(BINS_MAX));
    }

    private static byte[] image(DDSketch sketch) {
        GrowingByteArrayOutput output = GrowingByteArrayOutput.withDefaultInitialCapacity();
        try {
            sketch.encode(output, true);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return Arrays.copyOf(output.backingArray(), output.numWrittenBytes());
    }

    /** Adds up histograms from their bytes. */
    @Benchmark
    @OperationsPerInvocation(HISTOGRAMS)
    public Sketch merge() {
        Sketch sum = SketchKind.HISTOGRAMS.create();
        sum.take(items, 0, itemsEnd);
        return sum;
    }

    /** Adds up sketches of the library, which are objects already. */
    @Benchmark
    @OperationsPerInvocation(HISTOGRAMS)
    public DDSketch libraryObjects() {
        DDSketch sum = empty();
        for (DDSketch sketch : sketches) {
            sum.mergeWith(sketch);
        }
        return sum;
    }

    /** Adds up sketches of the library from their bytes. */
    @Benchmark
    @OperationsPerInvocation(HISTOGRAMS)
    public DDSketch libraryBytes() throws IOException {
        DDSketch sum = empty();
        for (byte[] image : images) {
            sum.decodeAndMergeWith(ByteArrayInput.wrap(image));
        }
        return sum;
    }
}
