package io.chimera.processor.staging.warehouse;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** A thread admitted by the release of a chunk finds this chunk, so that siblings create no more than the limit. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The chunk was in use.")
@Outcome(id = "1, " + ChunkPool.CHUNK_LENGTH, expect = Expect.ACCEPTABLE, desc = "The released chunk.")
@Outcome(id = "2, " + ChunkPool.CHUNK_LENGTH, expect = Expect.FORBIDDEN, desc = "A second chunk.")
@State
public class ChunkPoolStress {
    private final ChunkPool first = new ChunkPool(false, ChunkPool.CHUNK_LENGTH, 1);
    private final ChunkPool second = first.sibling();
    private final UnsafeBuffer chunk = first.take();

    @Actor
    public void releasing() {
        first.give(chunk);
    }

    @Actor
    public void taking(IJ_Result result) {
        UnsafeBuffer taken = second.take();
        result.r1 = taken == null ? 0 : taken == chunk ? 1 : 2;
    }

    @Arbiter
    public void after(IJ_Result result) {
        result.r2 = first.bytesUsed();
    }
}
