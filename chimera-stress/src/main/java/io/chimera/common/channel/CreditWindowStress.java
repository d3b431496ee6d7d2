package io.chimera.common.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Credits of a connection: none is lost, and none is given twice. */
public class CreditWindowStress {
    /** The offering thread takes credit while the transport's thread grants more. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The grant was seen.")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The grant came later, and remains.")
    @State
    public static class TakeAndGrant {
        private final CreditWindow window = new CreditWindow();

        public TakeAndGrant() {
            window.grant(2);
        }

        @Actor
        public void offering(ZZ_Result result) {
            result.r1 = window.take(3);
        }

        @Actor
        public void transport() {
            window.grant(1);
        }

        @Arbiter
        public void after(ZZ_Result result) {
            result.r2 = result.r1 ? !window.take(1) : window.take(3);
        }
    }

    /** Two consumers and the transport's thread: the returned credit is the consumed credit. */
    @JCStressTest
    @Outcome(id = "0, 3, 3", expect = Expect.ACCEPTABLE)
    @Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE)
    @Outcome(id = "2, 1, 3", expect = Expect.ACCEPTABLE)
    @Outcome(id = "3, 0, 3", expect = Expect.ACCEPTABLE)
    @State
    public static class ConsumeAndCollect {
        private final CreditWindow window = new CreditWindow();

        public ConsumeAndCollect() {
            window.receive(3);
        }

        @Actor
        public void first() {
            window.consume(1);
        }

        @Actor
        public void second() {
            window.consume(2);
        }

        @Actor
        public void transport(III_Result result) {
            result.r1 = window.collect();
        }

        @Arbiter
        public void after(III_Result result) {
            result.r2 = window.collect();
            result.r3 = result.r1 + result.r2;
        }
    }
}
