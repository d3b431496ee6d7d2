package io.chimera.queue.source;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A request ends once. jcstress schedules at most as many actors as the machine has processors, so each test has two of
 * the three threads.
 */
public class DeliveryStress {
    private static final class Counted extends Delivery {
        private final AtomicInteger ends = new AtomicInteger();
        private volatile String reason;

        @Override
        void done(String newReason) {
            ends.incrementAndGet();
            reason = newReason;
        }
    }

    /** One of two slots fails, after the source has ended the request. */
    @JCStressTest
    @Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "Ended once, with the failure.")
    @State
    public static class TwoJournalers {
        private final Counted delivery = new Counted();

        public TwoJournalers() {
            delivery.published();
            delivery.published();
            delivery.complete();
        }

        @Actor
        public void first() {
            delivery.journaled();
        }

        @Actor
        public void second() {
            delivery.failed("full");
        }

        @Arbiter
        public void after(IZ_Result result) {
            result.r1 = delivery.ends.get();
            result.r2 = "full".equals(delivery.reason);
        }
    }

    /** The only slot fails while the source ends the request. */
    @JCStressTest
    @Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "Ended once, with the failure.")
    @State
    public static class SourceAndJournaler {
        private final Counted delivery = new Counted();

        public SourceAndJournaler() {
            delivery.published();
        }

        @Actor
        public void source() {
            delivery.complete();
        }

        @Actor
        public void journaler() {
            delivery.failed("full");
        }

        @Arbiter
        public void after(IZ_Result result) {
            result.r1 = delivery.ends.get();
            result.r2 = "full".equals(delivery.reason);
        }
    }
}
