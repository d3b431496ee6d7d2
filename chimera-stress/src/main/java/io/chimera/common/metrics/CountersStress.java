package io.chimera.common.metrics;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** No thread's addition to a counter is lost. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE)
@State
public class CountersStress {
    private final Counters<ChannelCounter> counters = new Counters<>(ChannelCounter.class);

    @Actor
    public void first() {
        counters.increment(ChannelCounter.FRAMES_SENT);
    }

    @Actor
    public void second() {
        counters.add(ChannelCounter.FRAMES_SENT, 2);
    }

    @Arbiter
    public void after(J_Result result) {
        result.r1 = counters.get(ChannelCounter.FRAMES_SENT);
    }
}
