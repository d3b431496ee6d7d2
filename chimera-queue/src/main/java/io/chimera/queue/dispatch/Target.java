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
 * Receiver of one part of a shard within one transmission: collects records into frames, one open frame per pipeline, and
 * hands full frames to the processor's channel. The channel manager's thread.
 */
final class Target {
    /**
     * Bytes at which a frame goes on its way. At 100 bytes per point some 600 points: the cost of a frame is shared by
     * many, and a processor with three senders and 4 MiB of credit each still gets frames of every part in turn.
     */
    static final int FRAME_LENGTH = 64 << 10;

    /**
     * A receiver that makes its sender wait so long within {@link #FRAMES_PER_ACCOUNT} frames lags: it takes less than
     * 1 MiB/s, a hundredth of what a healthy processor takes. Longer than its collections of garbage, a tenth of a cycle.
     */
    static final long LAG_NS_MIN = TimeUnit.SECONDS.toNanos(1);

    private static final int FRAMES_PER_ACCOUNT = 16;

    private final SendState state;
    private final Slice slice;
    private final int transmission;
    private final ProcessorChannel channel;
    private final Cycle past;
    private final int fingerprint;

    /** Whose state the past cycle is for; its end names it, as its frames do. */
    private final int pipelineOfPast;

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

    /**
     * By what records are sent.
     *
     * @param fingerprint of the digest of the pipelines
     * @param routes theirs
     */
    record Sending(int fingerprint, List<Route> routes) {}

    Target(SendState state, int transmission, ProcessorChannel channel, Sending sending, long clockMs) {
        this(state, transmission, channel, sending, clockMs, null, 0);
    }

    /** A receiver of a part of a past cycle, which is sent for the state that follows from it. */
    Target(
            SendState state,
            int transmission,
            ProcessorChannel channel,
            Sending sending,
            Cycle past,
            int pipelineOfPast) {
        this(state, transmission, channel, sending, past.time().clockMs(), past, pipelineOfPast);
    }

    private Target(
            SendState state,
            int transmission,
            ProcessorChannel channel,
            Sending sending,
            long clockMs,
            Cycle past,
            int pipelineOfPast) {
        this.past = past;
        this.pipelineOfPast = pipelineOfPast;
        this.state = state;
        slice = state.slice();
        this.transmission = transmission;
        this.channel = channel;
        fingerprint = sending.fingerprint();
        List<Route> routes = sending.routes();
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

    /** The records of the shard that it is sent. */
    @HotPath
    Slice slice() {
        return slice;
    }

    /** Whether it makes sense to go on: the receiver is connected and still the one that is meant. */
    boolean isAlive() {
        return channel.isReady() && state.isSendingBy(transmission);
    }

    ProcessorChannel channel() {
        return channel;
    }

    /** A frame could not leave at this moment. */
    void waits(long nowNs) {
        waitedNs += isWaiting ? nowNs - waitedUntilNs : 0;
        waitedUntilNs = nowNs;
        isWaiting = true;
        hasLagged |= isLagging();
    }

    /** Whether the receiver takes too little for others to wait with it. */
    boolean isLagging() {
        return waitedNs >= LAG_NS_MIN;
    }

    /** Whether it did so at any time of this transmission. */
    boolean hasLagged() {
        return hasLagged;
    }

    /**
     * Takes a copy of a record, and of the definitions it needs where they were not sent in this transmission.
     *
     * @param entries the record
     * @return false when the frame that is in the way cannot leave now; nothing was taken then
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

    /** Writes what was put together; false when the frame that is in the way cannot leave now. */
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
     * Takes a copy of a point that blocks emitted.
     *
     * @return false when the frame that is in the way cannot leave now; nothing was taken then
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
     * Sends what is left and the end of the part.
     *
     * @param filtered records of the part that no pipeline takes, where this shard is the one to account for them; of a past
     *     cycle nobody asks
     * @return false when not all of it could leave now; call again
     */
    boolean end(long filtered) {
        for (int pipeline = 0; pipeline < bodies.length; pipeline++) {
            if (!flush(pipeline) || (counts[pipeline] > 0 && !send(pipeline))) {
                return false;
            }
        }
        int length = past == null ? PartFrame.END_LENGTH : PastFrame.END_LENGTH;
        UnsafeBuffer end = new UnsafeBuffer(new byte[length]);
        header(end, past == null ? PartFrame.END : PastFrame.PAST_END, pipelineOfPast, past == null ? 0 : past.parts());
        PartFrame.word(end, 0, 0, primary);
        PartFrame.word(end, 0, 1, filtered);
        PartFrame.word(end, 0, 2, copies);
        PartFrame.word(end, 0, 3, checksum);
        if (past != null) {
            PastFrame.times(end, past.timeMs(), past.time().clockMs());
        }
        return channel.offer(end, 0, length);
    }

    long copies() {
        return copies;
    }

    private boolean send(int pipeline) {
        PartBody body = bodies[pipeline];
        header(body.frame(), past == null ? PartFrame.DATA : PastFrame.PAST_DATA, pipeline, counts[pipeline]);
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
        PartFrame.header(
                frame, 0, type, state.cycle(), state.part(), state.shard(), pipeline, transmission, index, count);
        PartFrame.fingerprint(frame, 0, fingerprint);
        slice.put(frame, 0);
    }
}
