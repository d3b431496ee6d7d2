package io.chimera.faults.sim.world;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;

/** Clock of a machine: all machines share durations, but each has its own wall clock, which may step. */
public final class SimClock implements Clock {
    private final ManualClock time;
    private long stepNs;

    SimClock(ManualClock time) {
        this.time = time;
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public long epochNs() {
        return time.epochNs() + stepNs;
    }

    /** Steps the wall clock forward or back. */
    public void step(long ns) {
        stepNs += ns;
    }
}
