package io.chimera.archive.streamfs;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A reader finds the last published block and the plain fields of the block, also while the writer enlarges the ring.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The block and the fields.")
@State
public class StreamStateStress {
    /** The capacity of the first ring is 8, so the writer replaces the ring. */
    private static final int BEFORE = 7;

    private final StreamState state = new StreamState(0, null);

    public StreamStateStress() {
        for (int number = 1; number <= BEFORE; number++) {
            add(number);
        }
    }

    private void add(long number) {
        Block block = new Block(0, number, 10 * number, false);
        block.timeMinNs = number;
        state.add(block);
    }

    @Actor
    public void writer() {
        add(BEFORE + 1);
        add(BEFORE + 2);
    }

    @Actor
    public void reader(ZZ_Result result) {
        long last = state.lastBlock();
        Block block = state.block(last);
        result.r1 = block != null && block.number == last;
        result.r2 = block != null && block.firstRecord == 10 * last && block.timeMinNs == last;
    }
}
