package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.pipeline.Sender;
import io.chimera.processor.staging.composer.PastCycleRequests;
import io.chimera.processor.staging.composer.PastCycleRequests.Answer;
import io.chimera.processor.staging.composer.PastCycleRequests.Ask;
import io.chimera.processor.staging.composer.PastCycleRequests.Outcome;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Requests the past cycles needed by composers from queue nodes, and stages the received data, one cycle per composer.
 * A frame of a past cycle never waits, because frames of open cycles would wait as well: frames without room are
 * dropped and requested again. Staging's thread.
 */
final class PastCycleLoader {
    private final LongFunction<Sender> senders;
    private final Supplier<List<PastCycleRequests>> desks;
    private final StagedShards shards;
    private final Warehouses warehouses;
    private List<PastCycleRequests> known = List.of();
    private final List<Line> lines = new ArrayList<>();
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.LENGTH_MAX]);

    /** Request and received data of a composer. */
    private static final class Line {
        private final PastCycleRequests desk;
        private Receiving receiving;

        /** Parts of the cycles lent to the composer, by answer. */
        private final IdentityHashMap<Answer, List<BufferedPart>> lent = new IdentityHashMap<>();

        Line(PastCycleRequests desk) {
            this.desk = desk;
        }

        void drop() {
            if (receiving != null) {
                receiving.drop();
                receiving = null;
            }
        }
    }

    /** Data received so far for a request. */
    private static final class Receiving {
        private final Ask ask;
        private final List<Source> sources = new ArrayList<>();
        private final List<PastPart> parts = new ArrayList<>();

        /** Number of parts of the cycle; 0 before the first PAST_END. */
        private int partCount;

        private Answer answer;

        Receiving(Ask ask) {
            this.ask = ask;
            ask.queues().forEach(session -> sources.add(new Source(session)));
        }

        boolean isSent() {
            return sources.stream().allMatch(source -> source.state != SourceState.DUE);
        }

        boolean isWhole() {
            return partCount > 0 && parts.size() == partCount && parts.stream().allMatch(part -> part.isWhole);
        }

        /**
         * Returns whether a frame answers this request. Requests of all composers of a processor share one sequence of
         * numbers.
         */
        boolean isAnsweredBy(Sender sender, DirectBuffer frame) {
            return answer == null
                    && ask.request().number() == PartFrame.transmission(frame, 0)
                    && source(sender) != null;
        }

        /** Returns the source of a sender whose answer is awaited; null for any other sender. */
        @Nullable
        Source source(Sender sender) {
            for (Source source : sources) {
                if (source.session == sender.session() && source.state == SourceState.ASKED) {
                    return source;
                }
            }
            return null;
        }

        /** Returns whether frames of different cycles have come. */
        boolean isMixed() {
            long cycle = 0;
            for (Source source : sources) {
                if (source.isGiving()) {
                    if (cycle > 0 && source.cycle != cycle) {
                        return true;
                    }
                    cycle = source.cycle;
                }
            }
            return false;
        }

        /** Returns the sessions of the sources without this cycle. */
        List<Long> without(long cycle) {
            return sources.stream()
                    .filter(source -> source.state == SourceState.LACKS || source.cycle != cycle)
                    .map(source -> source.session)
                    .toList();
        }

        void drop() {
            parts.forEach(part -> part.kept.clear());
            parts.clear();
        }
    }

    /**
     * State of a queue node's answer.
     *
     * <pre>
     * DUE    the request is sent                                          ASKED
     * ASKED  all parts of the queue node's group are whole                GAVE
     * ASKED  PAST_NONE                                                    LACKS
     * </pre>
     */
    private enum SourceState {
        /** The request is to be sent. */
        DUE,
        /** The answer is awaited. */
        ASKED,
        /** All parts of its group are here. */
        GAVE,
        /** The queue node has no cycle to send. */
        LACKS
    }

    /** A queue node asked for the parts of its journal group. */
    private static final class Source {
        private final long session;
        private SourceState state = SourceState.DUE;

        /** Cycle of the received frames, or the cycle that the queue node lacks; 0 before the first frame. */
        private long cycle;

        Source(long session) {
            this.session = session;
        }

        /** Returns whether frames with parts of a cycle have come. */
        boolean isGiving() {
            return state != SourceState.LACKS && cycle > 0;
        }
    }

    private static final class PastPart {
        private final BufferedPart kept;
        private int frames;
        private long copies;
        private long checksum;
        private boolean isWhole;

        PastPart(BufferedPart kept) {
            this.kept = kept;
        }
    }

    PastCycleLoader(StagingPorts links, StagedShards shards, Warehouses warehouses) {
        senders = links.senders();
        desks = links.desks();
        this.shards = shards;
        this.warehouses = warehouses;
    }

    /** Handles the requests of composers. */
    int doWork() {
        if (desks.get() != known) {
            align(desks.get());
        }
        int work = 0;
        for (int i = 0; i < lines.size(); i++) {
            work += doWork(lines.get(i));
        }
        return work;
    }

    /**
     * Aligns the lines with the present composers. A removed desk belongs to an ended composer, which no longer reads
     * its data.
     */
    private void align(List<PastCycleRequests> next) {
        known = next;
        lines.removeIf(line -> {
            boolean isGone = !next.contains(line.desk);
            if (isGone) {
                line.drop();
                line.lent.values().forEach(parts -> parts.forEach(BufferedPart::clear));
            }
            return isGone;
        });
        for (PastCycleRequests desk : next) {
            if (lines.stream().noneMatch(line -> line.desk == desk)) {
                lines.add(new Line(desk));
            }
        }
    }

    private int doWork(Line line) {
        int work = 0;
        for (Answer used = line.desk.released(); used != null; used = line.desk.released()) {
            line.lent.remove(used).forEach(BufferedPart::clear);
            work++;
        }
        long cycle = line.desk.takeRoomFor();
        if (cycle != Long.MAX_VALUE) {
            shards.dropNewestAbove(cycle);
            work++;
        }
        for (Ask ask = line.desk.asked(); ask != null; ask = line.desk.asked()) {
            line.drop();
            line.receiving = new Receiving(ask);
            work++;
        }
        Receiving current = line.receiving;
        if (current != null && current.answer == null && !current.isSent()) {
            work += send(current);
        }
        if (current != null && current.answer != null) {
            work += hand(line, current);
        }
        return work;
    }

    private int send(Receiving current) {
        int length = PastFrame.encode(frame, 0, current.ask.request());
        int sent = 0;
        for (Source source : current.sources) {
            if (source.state != SourceState.DUE) {
                continue;
            }
            Sender queue = senders.apply(source.session);
            if (queue == null) {
                fail(current, Outcome.FAILED, List.of(source.session));
                return 1;
            }
            if (queue.connection().offer(frame, 0, length)) {
                source.state = SourceState.ASKED;
                sent++;
            }
        }
        return sent;
    }

    private static int hand(Line line, Receiving current) {
        if (!line.desk.answer(current.answer)) {
            return 0;
        }
        if (!current.answer.parts().isEmpty()) {
            line.lent.put(
                    current.answer,
                    current.parts.stream().map(part -> part.kept).toList());
        }
        line.receiving = null;
        return 1;
    }

    /** Handles a frame of a past cycle. */
    @ColdPath
    void onFrame(Sender sender, DirectBuffer source, int length) {
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.receiving != null && line.receiving.isAnsweredBy(sender, source)) {
                onFrame(line, sender, source, length);
                return;
            }
        }
        // The frame belongs to an abandoned request.
    }

    @ColdPath
    private void onFrame(Line line, Sender sender, DirectBuffer source, int length) {
        Receiving current = line.receiving;
        line.desk.frameCame();
        Source from = Objects.requireNonNull(current.source(sender), "isAnsweredBy() has found the source");
        from.cycle = PartFrame.cycle(source, 0);
        int type = PartFrame.type(source, 0);
        if (type == PastFrame.PAST_NONE) {
            from.state = SourceState.LACKS;
        } else if (!current.isMixed()) { // parts of different cycles have the same numbers, so a mixture is not staged
            if (type == PastFrame.PAST_DATA) {
                onData(current, from, source, length);
            } else {
                onEnd(current, from, source);
            }
        }
        if (from.state != SourceState.ASKED) {
            line.desk.settle(current.ask.request().number(), from.session);
        }
        if (current.answer == null) {
            conclude(current, source);
        }
    }

    /** Answers once the cycle is whole, or once no further frame will come. */
    private static void conclude(Receiving current, DirectBuffer newest) {
        long newestCycle = 0;
        boolean isGiven = false;
        boolean isOver = true;
        for (Source source : current.sources) {
            isGiven |= source.isGiving();
            newestCycle = Math.max(newestCycle, source.cycle);
            isOver &= source.state == SourceState.GAVE || source.state == SourceState.LACKS;
        }
        boolean isLater =
                isGiven && newestCycle > current.ask.request().cycles().first();
        if (current.isMixed() || (isOver && !current.isWhole() && (!isGiven || isLater))) {
            // The queue nodes have taken different cycles for the first one within the horizon: a node that does not
            // know the last cycle takes an older one, and a node without an older cycle names that cycle as missing.
            // The newest of these cycles is right.
            current.drop();
            current.answer = answer(
                    current, Outcome.NONE, newestCycle, CycleTime.of(0), List.of(), current.without(newestCycle));
        } else if (current.isWhole()) {
            List<KeptEntries> entries =
                    current.parts.stream().map(each -> each.kept.entries()).toList();
            CycleTime time = new CycleTime(PastFrame.rowsMs(newest), PastFrame.clockMs(newest));
            current.answer = answer(current, Outcome.WHOLE, PartFrame.cycle(newest, 0), time, entries, List.of());
        } else if (isOver) {
            fail(current, Outcome.INCOMPLETE, current.without(newestCycle));
        }
    }

    private static Answer answer(
            Receiving current,
            Outcome outcome,
            long cycle,
            CycleTime time,
            List<KeptEntries> parts,
            List<Long> failed) {
        return new Answer(current.ask.request().number(), outcome, cycle, time, parts, failed);
    }

    private static void fail(Receiving current, Outcome outcome, List<Long> failed) {
        current.drop();
        long cycle = current.ask.request().cycles().first();
        current.answer = answer(current, outcome, cycle, CycleTime.of(0), List.of(), failed);
    }

    private void onData(Receiving current, Source from, DirectBuffer source, int length) {
        PastPart part = part(current, PartFrame.part(source, 0));
        if (part == null || part.isWhole || part.frames != PartFrame.index(source, 0)) {
            fail(current, Outcome.FAILED, List.of(from.session));
            return;
        }
        switch (part.kept.keep(source, length)) {
            case BROKEN -> fail(current, Outcome.FAILED, List.of(from.session));
            case FULL -> {
                fail(current, Outcome.FULL, List.of());
                shards.dropNewestAbove(current.ask.target());
            }
            case KEPT -> {
                part.frames++;
                part.copies += part.kept.copies();
                part.checksum += part.kept.checksum();
            }
        }
    }

    /** Returns a part, new at first; null when the number exceeds the limit. */
    private PastPart part(Receiving current, int number) {
        if (number >= StagedShards.PARTS_MAX) {
            return null;
        }
        while (current.parts.size() <= number) {
            current.parts.add(new PastPart(warehouses.pastPart()));
        }
        return current.parts.get(number);
    }

    private void onEnd(Receiving current, Source from, DirectBuffer source) {
        if (!PastFrame.hasSoundParts(source, StagedShards.PARTS_MAX)) {
            fail(current, Outcome.FAILED, List.of(from.session));
            return;
        }
        int count = PartFrame.count(source, 0);
        int first = PastFrame.firstPart(source);
        int end = first + PastFrame.partCount(source);
        PastPart part = part(current, PartFrame.part(source, 0));
        boolean isSound = part != null
                && current.parts.size() <= count
                && (current.partCount == 0 || current.partCount == count)
                && part.frames == PartFrame.index(source, 0)
                && part.copies == PartFrame.word(source, 0, 2)
                && part.checksum == PartFrame.word(source, 0, 3);
        if (!isSound) {
            fail(current, Outcome.FAILED, List.of(from.session));
            return;
        }
        current.partCount = count;
        part.isWhole = true;
        part.kept.end();
        if (current.parts.size() >= end
                && current.parts.subList(first, end).stream().allMatch(each -> each.isWhole)) {
            from.state = SourceState.GAVE;
        }
    }

    /** Releases all data not lent to composers. */
    void clear() {
        lines.forEach(Line::drop);
    }
}
