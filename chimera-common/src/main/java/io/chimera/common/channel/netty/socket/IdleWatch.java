package io.chimera.common.channel.netty.socket;

import io.netty.channel.Channel;
import java.util.function.BooleanSupplier;

/**
 * Detects idle connections, including half-open ones, on their event loop. Time is counted in executed checks, so a
 * delay of the event loop itself ends no connection; Netty's IdleStateHandler measures with a clock, and cannot excuse
 * a connection with a slow handler.
 */
public final class IdleWatch {
    /** Number of checks per idle time: an idle connection is detected after 1 to 1.25 times the idle time. */
    private static final int LOOKS = 4;

    private final Channel channel;
    private final long idleMs;
    private final long periodMs;
    private final BooleanSupplier excused;
    private final Runnable onIdle;
    private long quietMs;

    /**
     * Creates an unstarted watch.
     *
     * @param excused returns whether the current silence is not the fault of the other end
     * @param onIdle called once
     */
    public IdleWatch(Channel channel, long idleMs, BooleanSupplier excused, Runnable onIdle) {
        this.channel = channel;
        this.idleMs = idleMs;
        this.excused = excused;
        this.onIdle = onIdle;
        periodMs = Math.max(1, idleMs / LOOKS);
    }

    public void start() {
        Later.run(channel, periodMs, this::look);
    }

    /** Records activity. */
    public void touch() {
        quietMs = 0;
    }

    private void look() {
        quietMs = excused.getAsBoolean() ? 0 : quietMs + periodMs;
        // The first check comes up to one period after the last activity, so this period does not count.
        if (quietMs - periodMs >= idleMs) {
            onIdle.run();
        } else {
            start();
        }
    }
}
