package io.chimera.common.channel.netty.socket;

import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/** Schedules tasks on the event loop of a connection. */
public final class Later {
    private Later() {}

    /** Runs a task after a delay unless the connection has ended; passes exceptions to the pipeline. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing
    public static void run(Channel channel, long delayMs, Runnable task) {
        Runnable guarded = () -> {
            if (channel.isActive()) {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    channel.pipeline().fireExceptionCaught(e);
                }
            }
        };
        channel.eventLoop().schedule(guarded, delayMs, TimeUnit.MILLISECONDS);
    }
}
