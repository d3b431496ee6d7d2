package io.chimera.queue.dispatch;

import io.chimera.api.model.DataPoint;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The far end of a channel: introduces itself, keeps what it is sent, answers when told to. */
final class FakeProcessor implements ConnectionHandler {
    /** One END frame, with the points of its transmission. */
    record Part(long cycle, int part, int shard, List<DataPoint> points, long primary, long filtered, long copies) {}

    final List<Part> parts = new ArrayList<>();
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
        if (type == PartFrame.DATA) {
            onData(buffer, offset, length);
        } else if (type == PartFrame.END) {
            onEnd(buffer, offset);
        }
        from.consumed(length);
        return true;
    }

    private void onData(DirectBuffer buffer, int offset, int length) {
        Received received = receivedOf(buffer, offset);
        RecordFlyweight record = new RecordFlyweight();
        int position = offset + PartFrame.HEADER_LENGTH;
        check(PartFrame.index(buffer, offset) == received.index, "frame out of order");
        for (int i = PartFrame.count(buffer, offset); i > 0; i--) {
            check(record.wrap(buffer, position).isWhole(offset + length - position), "record not whole");
            received.points.add(RecordDecoder.point(record));
            received.primary += record.isPrimary() ? 1 : 0;
            received.checksum += PartFrame.recordChecksum(record);
            position += record.length();
        }
        check(position == offset + length, "frame longer than its records");
        received.index++;
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

    /** One part of a shard in one transmission. */
    private static final class Received {
        private final List<DataPoint> points = new ArrayList<>();
        private long primary;
        private long checksum;
        private int index;
    }

    void answer(int type, Part part) {
        answerAs(self.session(), type, part);
    }

    /** Answers in the name of a session. */
    void answerAs(long session, int type, Part part) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.ANSWER_LENGTH]);
        PartFrame.header(frame, 0, type, part.cycle(), part.part(), part.shard(), 0, 0, 0, 0);
        PartFrame.word(frame, 0, 0, session);
        connection.offer(frame, 0, PartFrame.ANSWER_LENGTH);
    }

    void garble() {
        connection.offer(new UnsafeBuffer(new byte[] {9, 9, 9}), 0, 3);
    }

    @Override
    public void onClose(String reason) {
        connection = null;
    }
}
