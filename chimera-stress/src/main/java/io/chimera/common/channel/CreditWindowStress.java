package io.chimera.common.channel;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** No credit of a connection is lost or given twice. */
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

    /** A consumer and the transport's thread: the returned credit is the consumed credit. */
    @JCStressTest
    @Outcome(id = "0, 3", expect = Expect.ACCEPTABLE, desc = "Collected later.")
    @Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "Collected at once.")
    @State
    public static class ConsumeAndCollect {
        private final CreditWindow window = new CreditWindow();

        public ConsumeAndCollect() {
            window.receive(3);
        }

        @Actor
        public void consumer() {
            window.consume(3);
        }

        @Actor
        public void transport(II_Result result) {
            result.r1 = window.collect();
        }

        @Arbiter
        public void after(II_Result result) {
            result.r2 = result.r1 + window.collect();
        }
    }

    /** Two consumers: the credit of both is returned. */
    @JCStressTest
    @Outcome(id = "3", expect = Expect.ACCEPTABLE)
    @State
    public static class TwoConsumers {
        private final CreditWindow window = new CreditWindow();

        public TwoConsumers() {
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

        @Arbiter
        public void after(I_Result result) {
            result.r1 = window.collect();
        }
    }
}
