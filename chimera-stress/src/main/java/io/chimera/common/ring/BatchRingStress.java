package io.chimera.common.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A published slot reaches the consumer whole, and a full ring gives the last slot to one producer. */
public class BatchRingStress {
    private static final int SLOT_LENGTH = 64;

    /** A producer and the consumer: the consumer gets every slot with bytes, length and count. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 3", "1, 0, 2", "3, 0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "Whole slots, now or later; the second number counts damaged slots.")
    @State
    public static class PublishAndPoll {
        private final BatchRing ring = new BatchRing(2, SLOT_LENGTH);

        private void publish(int value) {
            long sequence = ring.tryClaim();
            Slot slot = ring.slot(sequence);
            slot.buffer().putInt(0, value);
            slot.fill(value, value, null);
            ring.publish(sequence);
        }

        private static boolean isWhole(Slot slot) {
            return slot.buffer().getInt(0) == slot.length() && slot.length() == slot.count();
        }

        @Actor
        public void producer() {
            publish(1);
            publish(2);
        }

        @Actor
        public void consumer(III_Result result) {
            ring.poll(
                    slot -> {
                        result.r1 += slot.length();
                        result.r2 += isWhole(slot) ? 0 : 1;
                        return true;
                    },
                    2);
        }

        @Arbiter
        public void after(III_Result result) {
            ring.poll(
                    slot -> {
                        result.r3 += slot.length();
                        result.r2 += isWhole(slot) ? 0 : 1;
                        return true;
                    },
                    2);
        }
    }

    /** Two producers and one free slot. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "One producer has the slot.")
    @State
    public static class ClaimTheLast {
        private final BatchRing ring = new BatchRing(2, SLOT_LENGTH);

        public ClaimTheLast() {
            ring.publish(ring.tryClaim());
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = ring.tryClaim() < 0 ? 0 : 1;
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = ring.tryClaim() < 0 ? 0 : 1;
        }
    }
}
