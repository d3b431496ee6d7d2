package io.chimera.bench.jmh;

import io.chimera.archive.index.key.SignatureKind;
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
 * Measures decoded packets to the archive's index: seven keys of each packet, signatures of both levels, index records
 * copied into a block. The limit is the paper's computation alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexBenchmark {
    /** Number of packets: 25 MB of tuples exceed the caches. */
    private static final int PACKETS = 1 << 18;

    private final PacketTuples packets = PacketTuples.make(PACKETS);
    private final TupleIndexer indexer = new TupleIndexer(SignatureKind.SPLIT_BLOCK, false);
    private final PaperIndexer paper = new PaperIndexer();

    /** Computes the index of the archive. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long index() {
        indexer.index(packets);
        return indexer.bytes();
    }

    /** Computes the index of the paper. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public long paper() {
        return paper.index(packets);
    }
}
