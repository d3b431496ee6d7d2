package io.chimera.faults.sim.plane;

import io.chimera.common.agent.Clock;

/** Clock with a timetable for the work of light members. */
interface LightTime extends Clock {
    /** Plans work; work of the past runs next. */
    void at(long atNs, Runnable work);

    /** Repeats work until the end of the run. */
    default void every(long firstNs, long intervalNs, Runnable work) {
        at(firstNs, () -> {
            work.run();
            every(nanoTime() + intervalNs, intervalNs, work);
        });
    }
}
