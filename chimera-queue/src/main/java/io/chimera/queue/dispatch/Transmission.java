package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.agrona.DirectBuffer;

/**
 * One pass over a cycle that sends some of its parts and shards: all of a node's parts at first, single ones when they are
 * sent again. It works in steps that never block: a frame that cannot leave stops the pass until it can, and another pass
 * for another processor goes on meanwhile. A receiver that takes too little is dropped from a pass that has others; what is
 * pending of it then goes out in a pass of its own. The channel manager's thread.
 */
final class Transmission implements AutoCloseable {
    /** What a step came to. */
    enum Progress {
        WORKED,
        STALLED,
        DONE,
        /** The journal could not give what it was opened for. */
        FAILED
    }

    private final int number;
    private final Cycle cycle;
    private final SortedMap<Long, Long> before;
    private final BatchFeed feed;
    private final List<Route> routes;
    private final int routeCount;
    private final Target[] targets;
    private final boolean[] isSent;

    /** By part, whether its first shard is sent, with which goes what belongs to none. */
    private final boolean[] isAccounting;

    private final long[] filtered;
    private final ProcessorChannel apartFor;
    private final PassEntries entries;

    private boolean isReadOut;
    private int remaining;
    private boolean isResumed;
    private long seq;
    private long after;
    private long upTo;
    private int resumeRoute;
    private boolean isTaken;

    /** What blocks made of the record, where a route has any, and whether they did so for the route that is at it. */
    private Emitted emitted;

    private boolean isEmitted;

    /** Where the record goes that has keys, or the point that blocks made of it, and whether that was found out. */
    private final PointShards places = new PointShards();

    private final PointFlyweight point = new PointFlyweight();

    /** Which set of fields the point had last. */
    private int lastGeneration = -1;

    private int lastFields = -1;
    private boolean isPlaced;
    private long copies;
    private Target waitingFor;
    private boolean hasLagged;
    private int deferred;

    /**
     * A pass.
     *
     * @param targets by part * M + shard; null where nothing is to be sent
     * @param apartFor the one processor that it is for because it lags, or null
     */
    Transmission(
            int number,
            Cycle cycle,
            SortedMap<Long, Long> before,
            BatchFeed feed,
            List<Route> routes,
            Target[] targets,
            ProcessorChannel apartFor) {
        this.number = number;
        this.cycle = cycle;
        this.before = before;
        this.feed = feed;
        this.routes = routes;
        routeCount = routes.size();
        this.targets = targets;
        this.apartFor = apartFor;
        entries = new PassEntries(cycle, routes, isSliced(targets));
        isSent = new boolean[cycle.parts()];
        isAccounting = new boolean[cycle.parts()];
        filtered = new long[cycle.parts()];
        for (int i = 0; i < targets.length; i++) {
            isSent[i / cycle.shards()] |= targets[i] != null;
            isAccounting[i / cycle.shards()] |= targets[i] != null && isAccountant(i);
        }
    }

    private static boolean isSliced(Target[] targets) {
        return Arrays.stream(targets)
                .anyMatch(target -> target != null && !target.slice().isWhole());
    }

    /** Whether a receiver accounts for what belongs to no shard: the first shard, and its first slice, do so once. */
    private boolean isAccountant(int target) {
        return target % cycle.shards() == 0 && targets[target].slice().index() == 0;
    }

    long cycleNumber() {
        return cycle.number();
    }

    /** Copies handed to channels so far. */
    long copies() {
        return copies;
    }

    /** Whether any receiver ever took too little. */
    boolean hasLagged() {
        return hasLagged;
    }

    /** Receivers that were dropped because they took too little. */
    int deferred() {
        return deferred;
    }

    /** The one processor that this pass is for because it lags, or null. */
    ProcessorChannel apartFor() {
        return apartFor;
    }

    private boolean isOnlyFor(ProcessorChannel channel) {
        for (Target target : targets) {
            if (target != null && target.channel() != channel) {
                return false;
            }
        }
        return true;
    }

    /** Works through the present batch and steps to the next, or ends the parts. */
    Progress step(long nowNs) {
        dropDeadTargets();
        if (isReadOut) {
            return endTargets(nowNs);
        }
        if (remaining > 0) {
            return sendBatch() ? Progress.WORKED : stalled(nowNs);
        }
        return switch (feed.next()) {
            case BATCH -> {
                openBatch();
                yield Progress.WORKED;
            }
            case END -> {
                isReadOut = true;
                yield Progress.WORKED;
            }
            case WAIT -> Progress.STALLED;
            case GAP -> Progress.FAILED;
        };
    }

    private Progress stalled(long nowNs) {
        waitingFor.waits(nowNs);
        hasLagged |= waitingFor.hasLagged();
        if (waitingFor.isLagging() && !isOnlyFor(waitingFor.channel())) {
            defer(waitingFor.channel());
            return Progress.WORKED;
        }
        return Progress.STALLED;
    }

    /** Goes on without a processor; its parts and shards become pending again. */
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
        isResumed = false;
        after = before.getOrDefault(stream, 0L);
        upTo = cycle.cut().get(stream);
        resumeRoute = 0;
        isTaken = false;
    }

    @HotPath
    private boolean sendBatch() {
        while (remaining > 0) {
            if (!isResumed) {
                entries.next();
            }
            isResumed = false;
            if (seq > after && seq <= upTo && !sendRecord()) {
                isResumed = true;
                return false;
            }
            seq++;
            remaining--;
        }
        return true;
    }

    @HotPath
    private boolean sendRecord() {
        int part = entries.part();
        if (!isSent[part]) {
            return true;
        }
        for (int i = resumeRoute; i < routeCount; i++) {
            int shard = entries.shard(i);
            if (shard >= 0) {
                Target target = targets[part * cycle.shards() + shard];
                boolean isWanted = target != null && entries.isIn(target.slice(), i);
                if (isWanted && !target.append(entries, i, !isTaken)) {
                    return waitFor(target, i);
                }
                copies += isWanted ? 1 : 0;
                isTaken = true;
            } else if (shard == Route.BEFORE && !sendEmitted(i, part)) {
                return false;
            } else if (shard == Route.KEYED && !sendByKeys(i, part)) {
                return false;
            }
        }
        filtered[part] += isTaken ? 0 : 1;
        resumeRoute = 0;
        isTaken = false;
        return true;
    }

    /** Sends what the blocks of a route make of the record; the first point that is sent of it is the one that counts it. */
    @HotPath
    private boolean sendEmitted(int route, int part) {
        if (!isEmitted) {
            if (emitted == null) {
                emitted = new Emitted();
            }
            routes.get(route).before().run(entries, emitted, isAccounting[part]);
            isEmitted = true;
        }
        while (emitted.hasNext()) {
            PointFlyweight made = emitted.next();
            if (!isPlaced) {
                routes.get(route).shardsOf(made, cycle.shards(), places);
                isPlaced = true;
            }
            for (; places.hasNext(); places.sent()) {
                Target target = targets[part * cycle.shards() + places.next()];
                boolean isWanted = target != null && places.isIn(target.slice());
                if (isWanted && !target.append(made, route, isPrimaryOf(target))) {
                    return waitFor(target, route);
                }
                copies += isWanted ? 1 : 0;
                isTaken = true;
            }
            isPlaced = false;
            emitted.sent();
        }
        isEmitted = false;
        return true;
    }

    /** Sends a record to the shards of its keys. */
    @HotPath
    private boolean sendByKeys(int route, int part) {
        if (!isPlaced) {
            if (entries.generation() == lastGeneration && entries.fieldsNumber() == lastFields) {
                point.wrapNext(entries.series(), entries.fields(), entries.record());
            } else {
                point.wrap(entries.series(), entries.fields(), entries.record());
                lastGeneration = entries.generation();
                lastFields = entries.fieldsNumber();
            }
            routes.get(route).shardsOf(point, cycle.shards(), places);
            isPlaced = true;
        }
        for (; places.hasNext(); places.sent()) {
            Target target = targets[part * cycle.shards() + places.next()];
            boolean isWanted = target != null && places.isIn(target.slice());
            if (isWanted && !target.append(entries, route, isPrimaryOf(target))) {
                return waitFor(target, route);
            }
            copies += isWanted ? 1 : 0;
            isTaken = true;
        }
        isPlaced = false;
        return true;
    }

    /** Whether the copy that a receiver is sent is the one that counts the record. */
    @HotPath
    private boolean isPrimaryOf(Target target) {
        return !isTaken && places.isFirstIn(target.slice());
    }

    private boolean waitFor(Target target, int route) {
        waitingFor = target;
        resumeRoute = route;
        return false;
    }

    /** A receiver that is gone gets nothing more of this pass and does not hold up the others. */
    private void dropDeadTargets() {
        for (int i = 0; i < targets.length; i++) {
            if (targets[i] != null && !targets[i].isAlive()) {
                targets[i].state().abandoned(number);
                targets[i] = null;
            }
        }
    }

    /** Here one receiver that cannot take its end holds up no other. */
    private Progress endTargets(long nowNs) {
        boolean isDone = true;
        for (int i = 0; i < targets.length; i++) {
            Target target = targets[i];
            if (target != null) {
                // the records of a part that no pipeline takes are accounted for once, with its first shard
                if (target.end(isAccountant(i) ? filtered[i / cycle.shards()] : 0)) {
                    target.state().sent();
                    targets[i] = null;
                } else {
                    target.waits(nowNs);
                    hasLagged |= target.hasLagged();
                    isDone = false;
                }
            }
        }
        return isDone ? Progress.DONE : Progress.STALLED;
    }

    /** Ends the pass; what it has not sent is pending again. */
    @Override
    public void close() {
        for (Target target : targets) {
            if (target != null) {
                target.state().abandoned(number);
            }
        }
        feed.close();
    }
}
