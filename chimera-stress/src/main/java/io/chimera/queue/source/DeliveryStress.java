package io.chimera.queue.source;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A request with two slots, of which one fails, ends once and with the failure. */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "Ended once, with the failure.")
@State
public class DeliveryStress {
    private final AtomicInteger ends = new AtomicInteger();
    private volatile String reason;

    private final Delivery delivery = new Delivery() {
        @Override
        void done(String newReason) {
            ends.incrementAndGet();
            reason = newReason;
        }
    };

    public DeliveryStress() {
        delivery.published();
        delivery.published();
    }

    @Actor
    public void source() {
        delivery.complete();
    }

    @Actor
    public void firstJournaler() {
        delivery.journaled();
    }

    @Actor
    public void secondJournaler() {
        delivery.failed("full");
    }

    @Arbiter
    public void after(IZ_Result result) {
        result.r1 = ends.get();
        result.r2 = "full".equals(reason);
    }
}
