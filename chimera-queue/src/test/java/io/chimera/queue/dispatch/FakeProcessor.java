package io.chimera.queue.dispatch;

import io.chimera.api.model.DataPoint;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Remote end of a channel: introduces itself, keeps received parts, and answers on request. */
final class FakeProcessor implements ConnectionHandler {
    /** An END frame with the points of its transmission. */
    record Part(long cycle, int part, int shard, List<DataPoint> points, long primary, long filtered, long copies) {}

    final List<Part> parts = new ArrayList<>();

    /** A PAST_END frame with the points before the frame, and with number of parts and time of the cycle. */
    record PastPart(long cycle, int pipeline, int part, int parts, long timeMs, List<DataPoint> points) {}

    final List<PastPart> pastParts = new ArrayList<>();

    /** Cycle numbers in the received PAST_NONE frames. */
    final List<Long> pastNones = new ArrayList<>();

    /** A pre-aggregated record with one field. */
    record Partial(int records, double sum) {}

    final List<Partial> partials = new ArrayList<>();
    final List<String> defects = new ArrayList<>();
    boolean takesFrames = true;

    private final Hello self;
    private final Map<String, Received> receiving = new HashMap<>();
    private Connection connection;

    FakeProcessor(long session, Transport transport, Endpoint address) {
        self = Hello.of(session, "test");
        transport.listen(address, () -> this);
    }

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
        receiving.clear();
        UnsafeBuffer frame = new UnsafeBuffer(new byte[self.length()]);
        self.encode(frame, 0);
        opened.offer(frame, 0, self.length());
    }

    @Override
    public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
        int type = PartFrame.type(buffer, offset);
        if (type != PartFrame.HELLO && !takesFrames) {
            return false;
        }
        switch (type) {
            case PartFrame.DATA, PastFrame.PAST_DATA -> onData(buffer, offset, length);
            case PartFrame.END -> onEnd(buffer, offset);
            case PastFrame.PAST_END -> onPastEnd(buffer, offset);
            case PastFrame.PAST_NONE -> pastNones.add(PartFrame.cycle(buffer, offset));
            default -> {}
        }
        from.consumed(length);
        return true;
    }

    private void onData(DirectBuffer buffer, int offset, int length) {
        Received received = receivedOf(buffer, offset);
        check(PartFrame.index(buffer, offset) == received.index, "frame out of order");
        ExpandableArrayBuffer bodies =
                received.bodies.computeIfAbsent(PartFrame.pipeline(buffer, offset), key -> new ExpandableArrayBuffer());
        int before = received.lengths.getOrDefault(PartFrame.pipeline(buffer, offset), 0);
        int end = before;
        int combined = 0;
        for (int at = offset + PartFrame.HEADER_LENGTH; at < offset + length; at += Entries.length(buffer, at)) {
            if (Entries.kind(buffer, at) == BodyLayout.PARTIAL) {
                combined += takePartial(buffer, at, offset + length - at, received);
            } else {
                bodies.putBytes(end, buffer, at, Entries.length(buffer, at));
                end += Entries.length(buffer, at);
            }
        }
        received.lengths.put(PartFrame.pipeline(buffer, offset), end);
        check(take(bodies, before, end, received) + combined == PartFrame.count(buffer, offset), "other records");
        received.index++;
    }

    /** Decodes the records after an index; earlier definitions remain valid. */
    private int take(ExpandableArrayBuffer bodies, int from, int end, Received received) {
        BodyReader body = new BodyReader().wrap(bodies, 0, end);
        int count = 0;
        int kind = body.step();
        for (; kind >= 0; kind = body.step()) {
            if (kind == BodyLayout.RECORD && body.record().offset() >= from) {
                count++;
                received.points.add(RecordDecoder.point(body));
                received.primary += body.record().isPrimary() ? 1 : 0;
                received.checksum +=
                        PartFrame.recordChecksum(body.seriesOfRecord().keyHash(), body.record());
            }
        }
        check(kind == BodyReader.END, "body not whole");
        return count;
    }

    private int takePartial(DirectBuffer buffer, int at, int available, Received received) {
        PartialFlyweight partial = new PartialFlyweight().wrap(buffer, at);
        check(partial.hasHeader(available) && partial.isWhole(1), "partial not whole");
        UnsafeBuffer block = new UnsafeBuffer(new byte[AggregateBlock.LENGTH]);
        partial.block(0, block, 0);
        partials.add(new Partial(partial.records(), AggregateBlock.sum(block, 0)));
        received.primary += partial.primary();
        received.checksum += partial.checksum();
        return partial.records();
    }

    private void onEnd(DirectBuffer buffer, int offset) {
        Received received = receivedOf(buffer, offset);
        check(PartFrame.index(buffer, offset) == received.index, "wrong number of frames");
        check(PartFrame.word(buffer, offset, 0) == received.primary, "wrong number of primary records");
        check(PartFrame.word(buffer, offset, 3) == received.checksum, "wrong checksum");
        parts.add(new Part(
                PartFrame.cycle(buffer, offset),
                PartFrame.part(buffer, offset),
                PartFrame.shard(buffer, offset),
                List.copyOf(received.points),
                received.primary,
                PartFrame.word(buffer, offset, 1),
                PartFrame.word(buffer, offset, 2)));
    }

    private void onPastEnd(DirectBuffer buffer, int offset) {
        Received received = receivedOf(buffer, offset);
        check(PartFrame.index(buffer, offset) == received.index, "wrong number of frames");
        check(PartFrame.word(buffer, offset, 2) == received.points.size(), "wrong number of copies");
        check(PartFrame.word(buffer, offset, 3) == received.checksum, "wrong checksum");
        pastParts.add(new PastPart(
                PartFrame.cycle(buffer, offset),
                PartFrame.pipeline(buffer, offset),
                PartFrame.part(buffer, offset),
                PartFrame.count(buffer, offset),
                PartFrame.word(buffer, offset, 1),
                List.copyOf(received.points)));
    }

    private Received receivedOf(DirectBuffer buffer, int offset) {
        String key = PartFrame.transmission(buffer, offset) + "/" + PartFrame.part(buffer, offset) + "/"
                + PartFrame.shard(buffer, offset);
        return receiving.computeIfAbsent(key, ignored -> new Received());
    }

    private void check(boolean isRight, String defect) {
        if (!isRight) {
            defects.add(defect);
        }
    }

    /** State of one transmission of a part of a shard. */
    private static final class Received {
        private final List<DataPoint> points = new ArrayList<>();
        private final Map<Integer, ExpandableArrayBuffer> bodies = new HashMap<>();
        private final Map<Integer, Integer> lengths = new HashMap<>();
        private long primary;
        private long checksum;
        private int index;
    }

    void answer(int type, Part part) {
        answerAs(self.session(), type, part);
    }

    /** Requests a slice of the shard of a part. */
    void need(Part part, Slice slice) {
        answer(self.session(), PartFrame.NEED, part, slice);
    }

    /** Answers in the name of a given session. */
    void answerAs(long session, int type, Part part) {
        answer(session, type, part, Slice.WHOLE);
    }

    private void answer(long session, int type, Part part, Slice slice) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.ANSWER_LENGTH]);
        PartFrame.header(frame, 0, type, new PartId(part.cycle(), part.part(), part.shard()), 0, 0, 0, 0);
        slice.put(frame, 0);
        PartFrame.word(frame, 0, 0, session);
        connection.offer(frame, 0, PartFrame.ANSWER_LENGTH);
    }

    /** Requests a past cycle. */
    void ask(PastFrame.Request request) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.LENGTH_MAX]);
        connection.offer(frame, 0, PastFrame.encode(frame, 0, request));
    }

    boolean isConnected() {
        return connection != null;
    }

    void garble() {
        connection.offer(new UnsafeBuffer(new byte[] {9, 9, 9}), 0, 3);
    }

    @Override
    public void onClose(String reason) {
        connection = null;
    }
}
