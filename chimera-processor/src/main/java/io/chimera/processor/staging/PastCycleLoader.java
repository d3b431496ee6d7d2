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
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

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
        private final List<PastPart> parts = new ArrayList<>();
        private boolean isSent;
        private Answer answer;

        Receiving(Ask ask) {
            this.ask = ask;
        }

        /**
         * Returns whether a frame answers this request. Requests of all composers of a processor share one sequence of
         * numbers.
         */
        boolean isAnsweredBy(Sender sender, DirectBuffer frame) {
            return answer == null
                    && ask.queue() == sender.session()
                    && ask.request().number() == PartFrame.transmission(frame, 0);
        }

        void drop() {
            parts.forEach(part -> part.kept.clear());
            parts.clear();
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
        if (current != null && !current.isSent && current.answer == null) {
            work += send(current);
        }
        if (current != null && current.answer != null) {
            work += hand(line, current);
        }
        return work;
    }

    private int send(Receiving current) {
        Sender queue = senders.apply(current.ask.queue());
        if (queue == null) {
            fail(current, Outcome.FAILED);
            return 1;
        }
        int length = PastFrame.encode(frame, 0, current.ask.request());
        current.isSent = queue.connection().offer(frame, 0, length);
        return current.isSent ? 1 : 0;
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
                onFrame(line, source, length);
                return;
            }
        }
        // The frame belongs to an abandoned request.
    }

    @ColdPath
    private void onFrame(Line line, DirectBuffer source, int length) {
        Receiving current = line.receiving;
        line.desk.frameCame();
        switch (PartFrame.type(source, 0)) {
            case PastFrame.PAST_DATA -> onData(current, source, length);
            case PastFrame.PAST_END -> onEnd(current, source);
            default ->
                current.answer = answer(current, Outcome.NONE, PartFrame.cycle(source, 0), CycleTime.of(0), List.of());
        }
    }

    private static Answer answer(
            Receiving current, Outcome outcome, long cycle, CycleTime time, List<KeptEntries> parts) {
        return new Answer(current.ask.request().number(), outcome, cycle, time, parts);
    }

    private void fail(Receiving current, Outcome outcome) {
        current.drop();
        current.answer = answer(current, outcome, current.ask.request().cycles().first(), CycleTime.of(0), List.of());
    }

    private void onData(Receiving current, DirectBuffer source, int length) {
        PastPart part = part(current, PartFrame.part(source, 0));
        if (part == null || part.isWhole || part.frames != PartFrame.index(source, 0)) {
            fail(current, Outcome.FAILED);
            return;
        }
        switch (part.kept.keep(source, length)) {
            case BROKEN -> fail(current, Outcome.FAILED);
            case FULL -> {
                fail(current, Outcome.FULL);
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

    private void onEnd(Receiving current, DirectBuffer source) {
        int count = PartFrame.count(source, 0);
        PastPart part = part(current, PartFrame.part(source, 0));
        boolean isSound = part != null
                && current.parts.size() <= count
                && part.frames == PartFrame.index(source, 0)
                && part.copies == PartFrame.word(source, 0, 2)
                && part.checksum == PartFrame.word(source, 0, 3);
        if (!isSound) {
            fail(current, Outcome.FAILED);
            return;
        }
        part.isWhole = true;
        part.kept.end();
        if (current.parts.size() == count && current.parts.stream().allMatch(each -> each.isWhole)) {
            List<KeptEntries> entries =
                    current.parts.stream().map(each -> each.kept.entries()).toList();
            CycleTime time = new CycleTime(PastFrame.rowsMs(source), PastFrame.clockMs(source));
            current.answer = answer(current, Outcome.WHOLE, PartFrame.cycle(source, 0), time, entries);
        }
    }

    /** Releases all data not lent to composers. */
    void clear() {
        lines.forEach(Line::drop);
    }
}
