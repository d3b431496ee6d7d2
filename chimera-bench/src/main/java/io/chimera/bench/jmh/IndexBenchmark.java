package io.chimera.bench.jmh;

import io.chimera.archive.index.SignatureKind;
import io.chimera.bench.archive.index.PacketTuples;
import io.chimera.bench.archive.index.PaperIndexer;
import io.chimera.bench.archive.index.TupleIndexer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Decoded packets to the archive's index: seven keys of each, signatures of both levels, records of the index copied into a
 * block. The limit is the paper's computation alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexBenchmark {
    /** 25 MB of tuples: more than caches hold. */
    private static final int PACKETS = 1 << 18;

    private final PacketTuples packets = PacketTuples.make(PACKETS);
    private final TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, false);
    private final PaperIndexer paper = new PaperIndexer();

    /** The index of the archive. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long index() {
        indexer.index(packets);
        return indexer.bytes();
    }

    /** The paper's. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long paper() {
        return paper.index(packets);
    }
}
