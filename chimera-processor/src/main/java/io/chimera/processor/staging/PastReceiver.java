package io.chimera.processor.staging;

import io.chimera.common.cluster.CycleTime;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.Sender;
import io.chimera.processor.staging.composer.PastDesk;
import io.chimera.processor.staging.composer.PastDesk.Answer;
import io.chimera.processor.staging.composer.PastDesk.Ask;
import io.chimera.processor.staging.composer.PastDesk.Outcome;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Asks queue nodes for the past cycles that composers need, and stages what they send, one cycle for each composer. A frame
 * of a past cycle never waits, for it would hold up those of open ones: what there is no room for is dropped and asked for again.
 * Staging's thread.
 */
final class PastReceiver {
    private final LongFunction<Sender> senders;
    private final Supplier<List<PastDesk>> desks;
    private final StagedShards shards;
    private final Warehouses warehouses;
    private List<PastDesk> known = List.of();
    private final List<Line> lines = new ArrayList<>();
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.LENGTH_MAX]);

    /** What a composer asked for, and what it has. */
    private static final class Line {
        private final PastDesk desk;
        private Receiving receiving;

        /** The parts of cycles that it has, by what it knows of them. */
        private final IdentityHashMap<Answer, List<KeptPart>> lent = new IdentityHashMap<>();

        Line(PastDesk desk) {
            this.desk = desk;
        }

        void drop() {
            if (receiving != null) {
                receiving.drop();
                receiving = null;
            }
        }
    }

    /** What came so far of what was asked for. */
    private static final class Receiving {
        private final Ask ask;
        private final List<PastPart> parts = new ArrayList<>();
        private boolean isSent;
        private Answer answer;

        Receiving(Ask ask) {
            this.ask = ask;
        }

        /** Requests of all composers of a processor are numbered together. */
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
        private final KeptPart kept;
        private int frames;
        private long copies;
        private long checksum;
        private boolean isWhole;

        PastPart(KeptPart kept) {
            this.kept = kept;
        }
    }

    PastReceiver(StagingLinks links, StagedShards shards, Warehouses warehouses) {
        senders = links.senders();
        desks = links.desks();
        this.shards = shards;
        this.warehouses = warehouses;
    }

    /** Deals with what composers want. */
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

    /** A composer whose desk is gone has ended, and what it had is not read any more. */
    private void align(List<PastDesk> next) {
        known = next;
        lines.removeIf(line -> {
            boolean isGone = !next.contains(line.desk);
            if (isGone) {
                line.drop();
                line.lent.values().forEach(parts -> parts.forEach(KeptPart::clear));
            }
            return isGone;
        });
        for (PastDesk desk : next) {
            if (lines.stream().noneMatch(line -> line.desk == desk)) {
                lines.add(new Line(desk));
            }
        }
    }

    private int doWork(Line line) {
        int work = 0;
        for (Answer used = line.desk.released(); used != null; used = line.desk.released()) {
            line.lent.remove(used).forEach(KeptPart::clear);
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

    /** Takes a frame of a past cycle. */
    void onFrame(Sender sender, DirectBuffer source, int length) {
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.receiving != null && line.receiving.isAnsweredBy(sender, source)) {
                onFrame(line, source, length);
                return;
            }
        }
        // of a request that was given up
    }

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
        current.answer = answer(current, outcome, current.ask.request().first(), CycleTime.of(0), List.of());
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

    /** Null when there cannot be so many parts. */
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

    /** Gives back all that is not lent. */
    void clear() {
        lines.forEach(Line::drop);
    }
}
