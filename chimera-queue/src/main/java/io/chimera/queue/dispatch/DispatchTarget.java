package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.Slice;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Receiver of one part of a shard within one pass. Collects records into frames, with one open frame per pipeline, and
 * hands full frames to the processor's channel. The channel manager's thread.
 */
final class DispatchTarget {
    /**
     * Length in bytes at which a frame is sent. At 100 bytes per point a frame holds some 600 points: many points share
     * the cost of a frame, and a processor with three senders and 4 MiB of credit each still receives frames of every
     * part in turn.
     */
    static final int FRAME_LENGTH = 64 << 10;

    /**
     * Time that a receiver may keep other receivers waiting within {@link #FRAMES_PER_ACCOUNT} frames before the
     * receiver counts as lagging. Such a receiver accepts less than 1 MiB/s although others could take more. The limit
     * is longer than garbage collection pauses, and a tenth of a cycle long.
     */
    static final long LAG_NS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final int FRAMES_PER_ACCOUNT = 16;

    private final PassPlan plan;
    private final SendState state;
    private final Slice slice;
    private final ProcessorChannel channel;
    private final PartBody[] bodies;
    private final int[] counts;

    private int index;
    private long primary;
    private long copies;
    private long checksum;

    private boolean isWaiting;
    private boolean hasLagged;
    private long waitedUntilNs;
    private long waitedNs;

    DispatchTarget(PassPlan plan, SendState state, ProcessorChannel channel) {
        this.plan = plan;
        this.state = state;
        slice = state.slice();
        this.channel = channel;
        List<Route> routes = plan.routes();
        long clockMs = plan.cycle().time().clockMs();
        bodies = new PartBody[routes.size()];
        Arrays.setAll(
                bodies,
                pipeline -> new PartBody(
                        routes.get(pipeline).hotSeries(clockMs),
                        routes.get(pipeline).isKeyed()));
        counts = new int[bodies.length];
    }

    SendState state() {
        return state;
    }

    /** Slice of the shard for this receiver. */
    @HotPath
    Slice slice() {
        return slice;
    }

    /** Whether to continue: the receiver is connected and still assigned. */
    boolean isAlive() {
        return channel.isReady() && state.isSendingBy(plan.number());
    }

    ProcessorChannel channel() {
        return channel;
    }

    /**
     * Records that the channel has no credit for a frame now.
     *
     * @param isAlone whether another receiver has caught up; a wait does not count while all receivers have frames left
     */
    void waits(long nowNs, boolean isAlone) {
        waitedNs += isWaiting && isAlone ? nowNs - waitedUntilNs : 0;
        waitedUntilNs = nowNs;
        isWaiting = true;
        hasLagged |= isLagging();
    }

    /** Records that the sender does not try to send for a while, so that the wait does not count. */
    void givesWay() {
        isWaiting = false;
    }

    /** Whether the receiver is too slow to share a pass with other receivers. */
    boolean isLagging() {
        return waitedNs >= LAG_NS_MIN;
    }

    /** Whether the receiver lagged at any time of this pass. */
    boolean hasLagged() {
        return hasLagged;
    }

    /**
     * Appends a copy of a record and of all definitions not yet sent in this pass.
     *
     * @param entries the record
     * @return false when the open frame is full and cannot be sent now; the record was not appended
     */
    @HotPath
    boolean append(PassEntries entries, int pipeline, boolean isPrimary) {
        PartBody body = bodies[pipeline];
        if (body.isOver(entries) && !flush(pipeline)) {
            return false;
        }
        if (!body.take(entries, pipeline, isPrimary)) {
            int length = body.lengthOf(entries, pipeline);
            if (!makeRoom(pipeline, length)) {
                return false;
            }
            checksum += body.append(entries, pipeline, isPrimary);
            counts[pipeline]++;
        }
        copies++;
        primary += isPrimary ? 1 : 0;
        return true;
    }

    /** Writes all partials; false when the open frame is full and cannot be sent now. */
    private boolean flush(int pipeline) {
        PartBody body = bodies[pipeline];
        while (body.hasPartials()) {
            if (!makeRoom(pipeline, body.partialLength())) {
                return false;
            }
            counts[pipeline] += body.partialRecords();
            checksum += body.appendPartial();
        }
        return true;
    }

    /**
     * Appends a copy of a point emitted by blocks.
     *
     * @return false when the open frame is full and cannot be sent now; the point was not appended
     */
    @HotPath
    boolean append(PointFlyweight point, int pipeline, boolean isPrimary) {
        if (!makeRoom(pipeline, PartBody.lengthOf(point))) {
            return false;
        }
        checksum += bodies[pipeline].append(point, isPrimary);
        counts[pipeline]++;
        copies++;
        primary += isPrimary ? 1 : 0;
        return true;
    }

    private boolean makeRoom(int pipeline, int length) {
        PartBody body = bodies[pipeline];
        if (body.frame().capacity() > 0 && body.position() + length <= FRAME_LENGTH) {
            return true;
        }
        if (counts[pipeline] > 0 && !send(pipeline)) {
            return false;
        }
        body.ensureCapacity(PartFrame.HEADER_LENGTH + length);
        return true;
    }

    /**
     * Sends the remaining frames and the end of the part.
     *
     * @param filtered records of the part that no pipeline takes, if this shard accounts for them; ignored for a past
     *     cycle
     * @return false when some frames could not be sent now; call again
     */
    boolean end(long filtered) {
        for (int pipeline = 0; pipeline < bodies.length; pipeline++) {
            if (!flush(pipeline) || (counts[pipeline] > 0 && !send(pipeline))) {
                return false;
            }
        }
        Cycle cycle = plan.cycle();
        int length = plan.isPast() ? PastFrame.END_LENGTH : PartFrame.END_LENGTH;
        UnsafeBuffer end = new UnsafeBuffer(new byte[length]);
        header(
                end,
                plan.isPast() ? PastFrame.PAST_END : PartFrame.END,
                plan.pipeline(),
                plan.isPast() ? cycle.parts() : 0);
        PartFrame.word(end, 0, 0, primary);
        PartFrame.word(end, 0, 1, filtered);
        PartFrame.word(end, 0, 2, copies);
        PartFrame.word(end, 0, 3, checksum);
        if (plan.isPast()) {
            PastFrame.times(end, cycle.timeMs(), cycle.time().clockMs());
            PastFrame.parts(end, plan.parts().first(), plan.parts().count(), cycle.parts());
        }
        return channel.offer(end, 0, length);
    }

    long copies() {
        return copies;
    }

    private boolean send(int pipeline) {
        PartBody body = bodies[pipeline];
        header(body.frame(), plan.isPast() ? PastFrame.PAST_DATA : PartFrame.DATA, pipeline, counts[pipeline]);
        if (!channel.offer(body.frame(), 0, body.position())) {
            return false;
        }
        index++;
        isWaiting = false;
        waitedNs = index % FRAMES_PER_ACCOUNT == 0 ? 0 : waitedNs;
        counts[pipeline] = 0;
        body.rewind();
        return true;
    }

    private void header(UnsafeBuffer frame, int type, int pipeline, int count) {
        PartFrame.header(frame, 0, type, state.id(), pipeline, plan.number(), index, count);
        PartFrame.fingerprint(frame, 0, plan.fingerprint());
        slice.put(frame, 0);
    }
}
