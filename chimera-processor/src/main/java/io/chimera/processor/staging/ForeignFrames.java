package io.chimera.processor.staging;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.processor.pipeline.Sender;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and reports frames of sessions that do not own the part. A new owner may learn of a reassignment earlier than
 * this processor, so a frame is reported only if no later view shows its sender as an owner. Staging's thread.
 */
final class ForeignFrames {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignFrames.class);

    /**
     * Time for the view to show the sender as owner of the part: a view lags by milliseconds, a slow ZooKeeper by
     * seconds.
     */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long LOG_INTERVAL_NS = TimeUnit.SECONDS.toNanos(30);

    private final KnownCycles cycles;
    private final Counters<ProcessorCounter> counters;

    /** Sender of the oldest unexplained frame; null if absent. */
    private Sender sender;

    private long cycle;
    private int part;
    private long sinceNs;
    private long frames;
    private long quietUntilNs;

    ForeignFrames(KnownCycles cycles, Counters<ProcessorCounter> counters, long nowNs) {
        this.cycles = cycles;
        this.counters = counters;
        quietUntilNs = nowNs;
    }

    /** Counts a frame dropped because its sender does not own the part. */
    @HotPath
    void dropped(Sender from, long ofCycle, int ofPart, long nowNs) {
        counters.increment(ProcessorCounter.STAGING_FRAMES_FOREIGN);
        frames++;
        if (sender == null && nowNs - quietUntilNs >= 0 && !cycles.wasOwner(from.session(), ofCycle)) {
            sender = from;
            cycle = ofCycle;
            part = ofPart;
            sinceNs = nowNs;
        }
    }

    /** Reports the oldest unexplained frame after the grace period. */
    void look(long nowNs) {
        if (sender == null) {
            return;
        }
        if (cycles.wasOwner(sender.session(), cycle)) {
            sender = null;
        } else if (nowNs - sinceNs >= GRACE_NS) {
            LOG.warn(
                    "Dropped frames of a session that does not own the part: remote={}, session={}, cycle={}, part={},"
                            + " frames={}. Find out which process connects from there; only queue nodes of this"
                            + " cluster may reach this port.",
                    sender.connection().remote(),
                    Long.toHexString(sender.session()),
                    cycle,
                    part,
                    frames);
            sender = null;
            frames = 0;
            quietUntilNs = nowNs + LOG_INTERVAL_NS;
        }
    }
}
