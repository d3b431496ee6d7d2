package io.chimera.common.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.IdleStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread that is about to sleep finds work, or the producer of the work finds the thread. */
public class WakeupStress {
    private static final VarHandle WORK;

    static {
        try {
            WORK = MethodHandles.lookup().findVarHandle(PublishAndSleep.class, "work", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The producer publishes as {@code BatchRing.publish} does, with a release and a fence. */
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "The thread sleeps, and nobody wakes it.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "Found by the poll, by the producer, or by both.")
    @State
    public static class PublishAndSleep {
        private final Wakeup wakeup = new Wakeup();
        private final IdleStrategy idle = wakeup.sleep();
        private int work;

        @Actor
        public void producer(ZZ_Result result) {
            WORK.setRelease(this, 1);
            VarHandle.fullFence();
            result.r1 = wakeup.isAnnounced();
        }

        @Actor
        public void consumer(ZZ_Result result) {
            idle.idle(0); // announces the sleep
            result.r2 = (int) WORK.getAcquire(this) == 1;
        }
    }
}
