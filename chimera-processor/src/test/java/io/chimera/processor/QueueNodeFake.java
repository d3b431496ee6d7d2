package io.chimera.processor;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.Slice;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A queue node's end of a channel: sends transmissions or single frames, and records the answers. One thread sends;
 * over a real transport, sending begins after the HELLO of the processor.
 */
final class QueueNodeFake implements ConnectionHandler {
    private final long session;
    private final Hello hello;
    private final Queue<UnsafeBuffer> waiting = new ArrayDeque<>();
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private volatile Connection connection;
    private volatile Hello other;
    private volatile String closed;
    private volatile PastFrame.Request past;
    private int lastTransmission;
    private int fingerprint = ProcessorRig.DIGEST.fingerprint();

    QueueNodeFake(long session, Hello hello) {
        this.session = session;
        this.hello = hello;
    }

    QueueNodeFake connect(Transport transport, Endpoint processor) {
        transport.connect(processor, this);
        return this;
    }

    /** Sends with the pipelines of a digest from now on. */
    QueueNodeFake by(ConfigurationDigest digest) {
        fingerprint = digest.fingerprint();
        return this;
    }

    long session() {
        return session;
    }

    /** Returns the HELLO of the processor; null before its arrival. */
    Hello other() {
        return other;
    }

    /** Returns the reason why the connection closed; null while open. */
    String closed() {
        return closed;
    }

    /** Returns and clears the answers so far, e.g. {@code OK 3/0/1} for cycle 3, shard 0, part 1. */
    List<String> takeAnswers() {
        List<String> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    Connection connection() {
        return connection;
    }

    /** A transmission, with points collected into frames on demand. */
    final class Sending {
        private final long cycle;
        private final int shard;
        private final int part;
        private final int number = ++lastTransmission;
        private int index;
        private long primary;
        private long copies;
        private long spoilt;
        private Slice slice = Slice.WHOLE;
        private final Map<Integer, FrameBody> bodies = new TreeMap<>();

        private Sending(long cycle, int shard, int part) {
            this.cycle = cycle;
            this.shard = shard;
            this.part = part;
        }

        /** Sets the slice of the shard. */
        Sending of(Slice ofShard) {
            slice = ofShard;
            return this;
        }

        /** Sends a frame with primary records. */
        Sending data(int pipeline, List<PointBytes> points) {
            return data(pipeline, true, points);
        }

        Sending data(int pipeline, boolean isPrimary, List<PointBytes> points) {
            FrameBody body = body(pipeline).add(isPrimary, points);
            copies += points.size();
            primary += isPrimary ? points.size() : 0;
            return data(pipeline, points.size(), body.cut());
        }

        /** Sends a frame with a finished body. */
        Sending data(int pipeline, int count, UnsafeBuffer frame) {
            PartFrame.header(
                    frame, 0, PartFrame.DATA, new PartId(cycle, part, shard), pipeline, number, index++, count);
            PartFrame.fingerprint(frame, 0, fingerprint);
            slice.put(frame, 0);
            send(frame);
            return this;
        }

        /** Sends a partial entry of the first series and set of fields in a separate frame. */
        Sending combined(int pipeline, int records, int fieldCount, DirectBuffer blocks) {
            int length = PartialFlyweight.lengthOf(fieldCount);
            UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.HEADER_LENGTH + length]);
            PartialFlyweight.put(frame, PartFrame.HEADER_LENGTH, 0, 0, records, records, 17, fieldCount, blocks);
            copies += records;
            primary += records;
            spoilt += 17;
            return data(pipeline, records, frame);
        }

        /** Returns the body with the frames of a pipeline. */
        FrameBody body(int pipeline) {
            return bodies.computeIfAbsent(pipeline, ordinal -> new FrameBody());
        }

        void end() {
            end(0);
        }

        void end(long filtered) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.END_LENGTH]);
            PartFrame.header(frame, 0, PartFrame.END, new PartId(cycle, part, shard), 0, number, index, 0);
            PartFrame.fingerprint(frame, 0, fingerprint);
            slice.put(frame, 0);
            PartFrame.word(frame, 0, 0, primary);
            PartFrame.word(frame, 0, 1, filtered);
            PartFrame.word(frame, 0, 2, copies);
            long checksum =
                    bodies.values().stream().mapToLong(FrameBody::checksum).sum();
            PartFrame.word(frame, 0, 3, checksum + spoilt);
            send(frame);
        }

        /** Corrupts the checksum. */
        Sending spoil() {
            spoilt++;
            return this;
        }

        /** Skips a frame. */
        Sending skipFrame() {
            index++;
            return this;
        }
    }

    Sending begin(long cycle, int shard, int part) {
        return new Sending(cycle, shard, part);
    }

    /** Sends a whole part in frames of ten points. */
    void send(long cycle, int shard, int part, List<PointBytes> points) {
        Sending sending = begin(cycle, shard, part);
        for (int from = 0; from < points.size(); from += 10) {
            sending.data(0, points.subList(from, Math.min(points.size(), from + 10)));
        }
        sending.end();
    }

    /**
     * Sends a requested past cycle, each part in a single frame.
     *
     * @param spoilt error added to the checksums
     */
    void sendPast(PastFrame.Request request, long cycle, long timeMs, long spoilt, List<List<PointBytes>> parts) {
        sendPast(request, cycle, timeMs, spoilt, parts, new CycleGroups.Parts(JournalGroup.DEFAULT, 0, parts.size()));
    }

    /** Sends the parts of a journal group of a past cycle. */
    void sendPast(
            PastFrame.Request request,
            long cycle,
            long timeMs,
            long spoilt,
            List<List<PointBytes>> parts,
            CycleGroups.Parts own) {
        Map<Integer, FrameBody> bodies = new TreeMap<>();
        int end = own.first() + own.count();
        for (int part = own.first(); part < end; part++) {
            FrameBody body = new FrameBody().add(true, parts.get(part));
            UnsafeBuffer frame = body.cut();
            int count = parts.get(part).size();
            PartFrame.header(
                    frame,
                    0,
                    PastFrame.PAST_DATA,
                    new PartId(cycle, part, 0),
                    request.pipeline(),
                    request.number(),
                    0,
                    count);
            PartFrame.fingerprint(frame, 0, request.fingerprint());
            send(frame);
            bodies.put(part, body);
        }
        for (int part = own.first(); part < end; part++) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.END_LENGTH]);
            PartFrame.header(
                    frame,
                    0,
                    PastFrame.PAST_END,
                    new PartId(cycle, part, 0),
                    request.pipeline(),
                    request.number(),
                    1,
                    parts.size());
            PartFrame.fingerprint(frame, 0, request.fingerprint());
            PastFrame.parts(frame, own.first(), own.count(), parts.size());
            PartFrame.word(frame, 0, 1, timeMs);
            PartFrame.word(frame, 0, 2, parts.get(part).size());
            PartFrame.word(frame, 0, 3, bodies.get(part).checksum() + spoilt);
            send(frame);
        }
    }

    /** Answers that this node lacks a past cycle. */
    void sendPastNone(PastFrame.Request request, long cycle) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PastFrame.NONE_LENGTH]);
        PastFrame.none(frame, 0, request, cycle);
        send(frame);
    }

    /** Returns and clears the last request for a past cycle; null without a new request. */
    PastFrame.Request takePast() {
        PastFrame.Request taken = past;
        past = null;
        return taken;
    }

    void send(UnsafeBuffer frame) {
        waiting.add(frame);
        flush();
    }

    /** Sends waiting frames as far as credit permits; true when all frames are sent. */
    boolean flush() {
        while (connection != null
                && !waiting.isEmpty()
                && connection.offer(waiting.peek(), 0, waiting.peek().capacity())) {
            waiting.poll();
        }
        return waiting.isEmpty();
    }

    @Override
    public void onOpen(Connection opened) {
        connection = opened;
        UnsafeBuffer frame = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(frame, 0);
        connection.offer(frame, 0, frame.capacity());
        flush();
    }

    @Override
    public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
        if (PartFrame.type(buffer, offset) == PartFrame.HELLO) {
            other = Hello.decode(buffer, offset, length);
        } else if (PartFrame.type(buffer, offset) == PastFrame.PAST) {
            past = PastFrame.decode(buffer, offset, length);
        } else {
            String type = PartFrame.type(buffer, offset) == PartFrame.OK ? "OK " : "NEED ";
            answers.add(type + PartFrame.cycle(buffer, offset) + "/" + PartFrame.shard(buffer, offset) + "/"
                    + PartFrame.part(buffer, offset)
                    + (Slice.of(buffer, offset).isWhole() ? "" : " " + Slice.of(buffer, offset)));
            if (PartFrame.word(buffer, offset, 0) != other.session()) {
                throw new IllegalStateException("The answer does not name the processor's session.");
            }
        }
        from.consumed(length);
        return true;
    }

    @Override
    public void onClose(String reason) {
        closed = reason;
    }
}
