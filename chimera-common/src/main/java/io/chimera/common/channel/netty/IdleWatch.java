package io.chimera.common.channel.netty;

import io.netty.channel.Channel;
import java.util.function.BooleanSupplier;

/** Notices, on its event loop, when nothing happened on a connection for a time; half-open ones look like that. */
final class IdleWatch {
    /** Looks per idle time: an idle connection is noticed after 1 to 1.25 times of it. */
    private static final int LOOKS = 4;

    private final Channel channel;
    private final long idleMs;
    private final long periodMs;
    private final BooleanSupplier excused;
    private final Runnable onIdle;
    private long quietMs;

    /**
     * A watch that is not started.
     *
     * @param excused whether nothing can happen at present through no fault of the other end
     * @param onIdle called once
     */
    IdleWatch(Channel channel, long idleMs, BooleanSupplier excused, Runnable onIdle) {
        this.channel = channel;
        this.idleMs = idleMs;
        this.excused = excused;
        this.onIdle = onIdle;
        periodMs = Math.max(1, idleMs / LOOKS);
    }

    void start() {
        Later.run(channel, periodMs, this::look);
    }

    /** Something happened. */
    void touch() {
        quietMs = 0;
    }

    private void look() {
        quietMs = excused.getAsBoolean() ? 0 : quietMs + periodMs;
        // Up to one period had passed before the first look, so it does not count.
        if (quietMs - periodMs >= idleMs) {
            onIdle.run();
        } else {
            start();
        }
    }
}
