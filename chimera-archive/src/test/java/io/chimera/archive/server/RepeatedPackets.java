package io.chimera.archive.server;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.PacketCopies;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.server.volume.Volume;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Answer of any length: repeats the packets of one interval. */
final class RepeatedPackets implements FoundPackets {
    private final PacketInterval packet = new PacketInterval();
    private final int packets;
    private final QueryProgress progress;
    private int found;
    private volatile boolean isCancelled;

    /** Shared memory with an interval. */
    record Interval(UnsafeBuffer buffer, int bytes) {
        /** Copies the first packets of a volume. */
        static Interval of(Volume volume) {
            PacketCopies copies = new PacketCopies(64 << 10);
            try (PacketQuery all = volume.askPackets(Question.parse("", 0))) {
                while (all.next() && copies.add(all)) {
                    // until the copy is full
                }
            }
            int bytes = copies.finish();
            byte[] copy = new byte[bytes];
            copies.buffer().getBytes(0, copy);
            return new Interval(new UnsafeBuffer(copy), bytes);
        }
    }

    RepeatedPackets(Interval interval, int packets) {
        this(interval, packets, QueryProgress.NONE);
    }

    RepeatedPackets(Interval interval, int packets, QueryProgress progress) {
        this.packets = packets;
        this.progress = progress;
        packet.wrap(interval.buffer(), 0, interval.bytes());
    }

    @Override
    public List<String> warnings() {
        return List.of();
    }

    @Override
    public boolean next() {
        if (found == packets || isCancelled) {
            return false;
        }
        if (!packet.next()) {
            packet.rewind();
            packet.next();
        }
        found++;
        return true;
    }

    @Override
    public PacketInterval packet() {
        return packet;
    }

    @Override
    public String stream() {
        return "packets";
    }

    @Override
    public QueryProgress progress() {
        return progress.withFound(found);
    }

    @Override
    public void cancel() {
        isCancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void close() {}
}
