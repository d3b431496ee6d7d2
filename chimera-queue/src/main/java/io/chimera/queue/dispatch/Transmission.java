package io.chimera.queue.dispatch;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * One pass over a cycle that sends some parts of some shards: first all parts of a node, later single parts for
 * retransmission.
 *
 * <p>The pass works in non-blocking steps: a frame without credit suspends the pass, and passes for other processors
 * continue. A receiver without credit lags if another processor has caught up meanwhile. A lagging receiver is dropped
 * from a pass with other receivers; its pending parts then get a separate pass. If all processors are slow, none is
 * dropped, because a further pass would only repeat work. The channel manager's thread.
 */
final class Transmission implements AutoCloseable {
    /** Result of a step. */
    enum Progress {
        WORKED,
        /** A receiver has no credit, or the records have not arrived yet. */
        STALLED,
        DONE,
        /** The journal could not provide the records. */
        FAILED
    }

    /**
     * State of a pass.
     *
     * <pre>
     * from     event                                       to
     * READING  the feed gives a batch                      SENDING
     * READING  the feed has ended                          ENDING
     * SENDING  a receiver has no credit for a record       STALLED
     * STALLED  the next step                               SENDING
     * SENDING  the last record of the batch is handed on   READING
     * </pre>
     *
     * <p>A pass is closed when a step in ENDING returns DONE, when a step in READING returns FAILED, and in any state
     * when its cycle is over or continues with other pipelines.
     */
    private enum State {
        /** Waits for the next batch of the feed. */
        READING,
        /** Hands on the records of a batch. */
        SENDING,
        /** As SENDING; some receivers of the current record, if it has several, already have it. */
        STALLED,
        /** All records are handed on; some receivers lack their END. */
        ENDING
    }

    private final int number;
    private final Cycle cycle;
    private final Positions before;
    private final BatchFeed feed;
    private final List<Route> routes;
    private final int routeCount;
    private final DispatchTarget[] targets;

    /** Whether this pass sends a part to a receiver, by part. */
    private final boolean[] isForPart;

    /** Whether this pass sends the first slice of the first shard, by part: it accounts for records without a shard. */
    private final boolean[] isAccounting;

    private final long[] filtered;
    private final ProcessorChannel apartFor;
    private final Collection<ProcessorChannel> rivals;
    private final PassEntries entries;

    private State state = State.READING;
    private boolean gaveWay;
    private int remaining;
    private long seq;
    private long after;
    private long upTo;

    /** Route at which a stalled record continues. The shards left of a record with keys are in {@link #places}. */
    private int resumeRoute;

    /** Whether a receiver has taken the current record, which counts for the first one only. */
    private boolean isTaken;

    /** Points emitted by the blocks for the current record and route; null before the first run. */
    private Emitted emitted;

    /** Shards of a record with keys, or of an emitted point. */
    private final PointShards places = new PointShards();

    private final PointFlyweight point = new PointFlyweight();

    /** Generation and number of the last field set of {@link #point}. */
    private int lastGeneration = -1;

    private int lastFields = -1;
    private long copies;
    private DispatchTarget waitingFor;

    /** Rivals that have caught up, as of the last look; null without one. */
    private ProcessorChannel firstCaughtUp;

    private ProcessorChannel secondCaughtUp;
    private boolean hasLagged;
    private int deferred;

    /**
     * Creates a pass.
     *
     * @param targets receivers by part * M + shard; null where there is nothing to send
     * @param apartFor the lagging processor of a separate pass, or null
     * @param rivals channels of the processors whose rate tells whether a receiver is too slow
     */
    Transmission(
            PassPlan plan,
            Positions before,
            BatchFeed feed,
            DispatchTarget[] targets,
            ProcessorChannel apartFor,
            Collection<ProcessorChannel> rivals) {
        number = plan.number();
        cycle = plan.cycle();
        routes = plan.routes();
        routeCount = routes.size();
        this.before = before;
        this.feed = feed;
        this.targets = targets;
        this.apartFor = apartFor;
        this.rivals = rivals;
        entries = new PassEntries(cycle, plan.parts(), routes, isSliced(targets));
        isForPart = new boolean[cycle.parts()];
        isAccounting = new boolean[cycle.parts()];
        filtered = new long[cycle.parts()];
        for (int i = 0; i < targets.length; i++) {
            isForPart[i / cycle.shards()] |= targets[i] != null;
            isAccounting[i / cycle.shards()] |= targets[i] != null && isAccountant(i);
        }
    }

    private static boolean isSliced(DispatchTarget[] targets) {
        return Arrays.stream(targets)
                .anyMatch(target -> target != null && !target.slice().isWhole());
    }

    /**
     * Whether a receiver accounts for the records without a shard. Only the first slice of the first shard does, so
     * these records count once.
     */
    private boolean isAccountant(int target) {
        return target % cycle.shards() == 0 && targets[target].slice().index() == 0;
    }

    long cycleNumber() {
        return cycle.number();
    }

    /** Number of copies handed to channels so far. */
    long copies() {
        return copies;
    }

    /** Whether any receiver has lagged. */
    boolean hasLagged() {
        return hasLagged;
    }

    /** Number of receivers dropped for lagging. */
    int deferred() {
        return deferred;
    }

    /** The lagging processor of a separate pass, or null. */
    ProcessorChannel apartFor() {
        return apartFor;
    }

    private boolean isOnlyFor(ProcessorChannel channel) {
        for (DispatchTarget target : targets) {
            if (target != null && target.channel() != channel) {
                return false;
            }
        }
        return true;
    }

    /** Records that the pass is not advanced now, so that the time until the next step counts for no receiver. */
    void giveWay() {
        gaveWay = true;
    }

    /** Sends the rest of the current batch and moves to the next batch, or ends the parts. */
    Progress step(long nowNs) {
        dropDeadTargets();
        if (gaveWay) {
            gaveWay = false;
            for (DispatchTarget target : targets) {
                if (target != null) {
                    target.givesWay();
                }
            }
        }
        return switch (state) {
            case READING -> readBatch();
            case SENDING, STALLED -> sendBatch(state == State.STALLED) ? Progress.WORKED : stalled(nowNs);
            case ENDING -> endTargets(nowNs);
        };
    }

    private Progress readBatch() {
        return switch (feed.next()) {
            case BATCH -> {
                openBatch();
                state = State.SENDING;
                yield Progress.WORKED;
            }
            case END -> {
                state = State.ENDING;
                yield Progress.WORKED;
            }
            case WAIT -> Progress.STALLED;
            case GAP -> Progress.FAILED;
        };
    }

    private Progress stalled(long nowNs) {
        findCaughtUp();
        waitingFor.waits(nowNs, isAlone(waitingFor.channel()));
        hasLagged |= waitingFor.hasLagged();
        if (waitingFor.isLagging() && !isOnlyFor(waitingFor.channel())) {
            defer(waitingFor.channel());
            return Progress.WORKED;
        }
        return Progress.STALLED;
    }

    /** Looks for two rivals that have caught up: two, because {@link #isAlone} leaves out the slow processor. */
    private void findCaughtUp() {
        firstCaughtUp = null;
        secondCaughtUp = null;
        for (ProcessorChannel rival : rivals) {
            if (!rival.hasCaughtUp()) {
                continue;
            }
            if (firstCaughtUp != null) {
                secondCaughtUp = rival;
                return;
            }
            firstCaughtUp = rival;
        }
    }

    /** Whether a processor without credit is slow alone: a rival has caught up. */
    private boolean isAlone(ProcessorChannel slow) {
        return firstCaughtUp != null && (firstCaughtUp != slow || secondCaughtUp != null);
    }

    /** Drops a processor from the pass; its parts of shards become pending again. */
    private void defer(ProcessorChannel channel) {
        channel.lagging(true);
        for (int i = 0; i < targets.length; i++) {
            if (targets[i] != null && targets[i].channel() == channel) {
                targets[i].state().abandoned(number);
                targets[i] = null;
                deferred++;
            }
        }
    }

    private void openBatch() {
        DirectBuffer buffer = feed.buffer();
        int offset = feed.offset();
        long stream = BatchLayout.stream(buffer, offset);
        remaining = BatchLayout.count(buffer, offset);
        seq = BatchLayout.firstSeq(buffer, offset);
        entries.open(buffer, offset);
        after = before.at(stream);
        upTo = cycle.cut().at(stream);
        resumeRoute = 0;
        isTaken = false;
    }

    /**
     * Sends the remaining records of the batch; false when a receiver has no credit.
     *
     * @param resumes whether the first record is a stalled record
     */
    @HotPath
    private boolean sendBatch(boolean resumes) {
        boolean isStalled = resumes;
        while (remaining > 0) {
            if (!isStalled) {
                entries.next();
            }
            if (seq > after && seq <= upTo && !sendRecord(isStalled)) {
                state = State.STALLED;
                return false;
            }
            isStalled = false;
            seq++;
            remaining--;
        }
        state = State.READING;
        return true;
    }

    @HotPath
    private boolean sendRecord(boolean isStalled) {
        int part = entries.part();
        if (!isForPart[part]) {
            return true;
        }
        boolean isPlaced = isStalled;
        for (int i = resumeRoute; i < routeCount; i++) {
            int shard = entries.shard(i);
            if (shard >= 0) {
                DispatchTarget target = targets[part * cycle.shards() + shard];
                boolean isWanted = target != null && entries.isIn(target.slice(), i);
                if (isWanted && !target.append(entries, i, !isTaken)) {
                    return waitFor(target, i);
                }
                copies += isWanted ? 1 : 0;
                isTaken = true;
            } else if (shard == Route.BEFORE && !sendEmitted(i, part, isPlaced)) {
                return false;
            } else if (shard == Route.KEYED && !sendByKeys(i, part, isPlaced)) {
                return false;
            }
            isPlaced = false;
        }
        filtered[part] += isTaken ? 0 : 1;
        resumeRoute = 0;
        isTaken = false;
        return true;
    }

    @ColdPath
    private void prepareEmitted() {
        emitted = new Emitted();
    }

    /**
     * Sends the points emitted by the blocks of a route for the current record. The first point sent counts the record.
     *
     * @param isPlaced whether the blocks have run, and the shards of the first unsent point are known
     */
    @HotPath
    private boolean sendEmitted(int route, int part, boolean isPlaced) {
        if (!isPlaced) {
            if (emitted == null) {
                prepareEmitted();
            }
            routes.get(route).before().run(entries, emitted, isAccounting[part]);
        }
        boolean isFirstPlaced = isPlaced;
        while (emitted.hasNext()) {
            PointFlyweight made = emitted.next();
            if (!isFirstPlaced) {
                routes.get(route).shardsOf(made, cycle.shards(), places);
            }
            isFirstPlaced = false;
            for (; places.hasNext(); places.sent()) {
                DispatchTarget target = targets[part * cycle.shards() + places.next()];
                boolean isWanted = target != null && places.isIn(target.slice());
                if (isWanted && !target.append(made, route, isPrimaryOf(target))) {
                    return waitFor(target, route);
                }
                copies += isWanted ? 1 : 0;
                isTaken = true;
            }
            emitted.sent();
        }
        return true;
    }

    /**
     * Sends a record to the shards of its keys.
     *
     * @param isPlaced whether the shards of the record are known
     */
    @HotPath
    private boolean sendByKeys(int route, int part, boolean isPlaced) {
        if (!isPlaced) {
            if (entries.generation() == lastGeneration && entries.fieldsNumber() == lastFields) {
                point.wrapNext(entries.series(), entries.fields(), entries.record());
            } else {
                point.wrap(entries.series(), entries.fields(), entries.record());
                lastGeneration = entries.generation();
                lastFields = entries.fieldsNumber();
            }
            routes.get(route).shardsOf(point, cycle.shards(), places);
        }
        for (; places.hasNext(); places.sent()) {
            DispatchTarget target = targets[part * cycle.shards() + places.next()];
            boolean isWanted = target != null && places.isIn(target.slice());
            if (isWanted && !target.append(entries, route, isPrimaryOf(target))) {
                return waitFor(target, route);
            }
            copies += isWanted ? 1 : 0;
            isTaken = true;
        }
        return true;
    }

    /** Whether the copy for a receiver is the primary copy, which counts the record. */
    @HotPath
    private boolean isPrimaryOf(DispatchTarget target) {
        return !isTaken && places.isFirstIn(target.slice());
    }

    private boolean waitFor(DispatchTarget target, int route) {
        waitingFor = target;
        resumeRoute = route;
        return false;
    }

    /** Drops disconnected and reassigned receivers, so that they do not block the others. */
    private void dropDeadTargets() {
        for (int i = 0; i < targets.length; i++) {
            if (targets[i] != null && !targets[i].isAlive()) {
                targets[i].state().abandoned(number);
                targets[i] = null;
            }
        }
    }

    /** Ends the parts of all receivers. A receiver without credit for its end frame does not block the others. */
    private Progress endTargets(long nowNs) {
        findCaughtUp();
        boolean isDone = true;
        for (int i = 0; i < targets.length; i++) {
            DispatchTarget target = targets[i];
            if (target != null) {
                // records that no pipeline takes are accounted for once per part, with the first shard
                if (target.end(isAccountant(i) ? filtered[i / cycle.shards()] : 0)) {
                    target.state().sent();
                    targets[i] = null;
                } else {
                    target.waits(nowNs, isAlone(target.channel()));
                    hasLagged |= target.hasLagged();
                    isDone = false;
                }
            }
        }
        return isDone ? Progress.DONE : Progress.STALLED;
    }

    /** Ends the pass; unsent parts become pending again. */
    @Override
    public void close() {
        for (DispatchTarget target : targets) {
            if (target != null) {
                target.state().abandoned(number);
            }
        }
        feed.close();
    }
}
