package io.chimera.queue.source;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** An object of a pool has one owner at a time, and is not lost. */
public class PoolStress {
    /** Two threads take from a pool with one object. */
    @JCStressTest
    @Outcome(
            id = {"7, 0, 0", "0, 7, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "One thread has the object.")
    @State
    public static class TakeAndTake {
        private final Pool<Integer> pool = new Pool<>(2);

        public TakeAndTake() {
            pool.offer(7);
        }

        @Actor
        public void first(III_Result result) {
            result.r1 = number(pool.take());
        }

        @Actor
        public void second(III_Result result) {
            result.r2 = number(pool.take());
        }

        @Arbiter
        public void after(III_Result result) {
            result.r3 = number(pool.take());
        }
    }

    /** Two threads offer to a pool with one place. */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 7", "0, 1, 8"},
            expect = Expect.ACCEPTABLE,
            desc = "The accepted object is in the pool.")
    @State
    public static class OfferAndOffer {
        private final Pool<Integer> pool = new Pool<>(1);

        @Actor
        public void first(III_Result result) {
            result.r1 = pool.offer(7) ? 1 : 0;
        }

        @Actor
        public void second(III_Result result) {
            result.r2 = pool.offer(8) ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result result) {
            result.r3 = number(pool.take());
        }
    }

    private static int number(Integer taken) {
        return taken == null ? 0 : taken;
    }
}
