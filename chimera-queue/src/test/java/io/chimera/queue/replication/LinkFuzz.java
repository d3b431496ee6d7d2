package io.chimera.queue.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Connection;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Any frame of a peer leads to a valid batch in the ring, a valid note, or the end of the connection. */
final class LinkFuzz {
    private static final int SLOT_LENGTH = 64 << 10;
    private static final long OWN = 7;

    @FuzzTest
    void takesAnyFrame(byte[] frame) {
        if (frame.length > 0) {
            new Peer().send(frame);
        }
    }

    @Test
    void takesChangedFrames() {
        Random random = new Random(20240518);
        List<byte[]> good = goodFrames();
        Peer peer = new Peer();
        for (int i = 0; i < 30_000; i++) {
            byte[] frame = good.get(random.nextInt(good.size())).clone();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                frame[random.nextInt(Math.min(frame.length, 64))] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(4) == 0 ? 1 + random.nextInt(frame.length) : frame.length;
            byte[] cut = new byte[length];
            System.arraycopy(frame, 0, cut, 0, length);
            peer.send(cut);
        }
        assertThat(peer.batches).as("good batches among them").isGreaterThan(1_000);
        assertThat(peer.notes).as("good notes among them").isGreaterThan(1_000);
        assertThat(peer.closes).as("bad frames among them").isGreaterThan(1_000);
    }

    private static List<byte[]> goodFrames() {
        List<byte[]> frames = new ArrayList<>();
        Batches batches = new Batches();
        for (int count : new int[] {1, 3}) {
            byte[] batch = new byte[batches.seal(9, 1, count)];
            batches.buffer().getBytes(0, batch);
            frames.add(batch);
        }
        for (int type = ReplicationFrame.SUBSCRIBE; type <= ReplicationFrame.GAP; type++) {
            byte[] frame = new byte[ReplicationFrame.LENGTH];
            ReplicationFrame.encode(new UnsafeBuffer(frame), 0, type, 9, 5);
            frames.add(frame);
        }
        Hello hello = Hello.of(3, "cluster");
        byte[] frame = new byte[hello.length()];
        hello.encode(new UnsafeBuffer(frame), 0);
        frames.add(frame);
        return frames;
    }

    /** A link that accepts batches, with counts of its reactions. */
    private static final class Peer implements Connection {
        private final BatchRing ring = new BatchRing(2, SLOT_LENGTH);
        private final PeerLink link = new PeerLink(new BatchReceiver(
                ring,
                new MemoryJournal(SyncPolicy.NONE, 1, new ManualClock()),
                OWN,
                new Counters<>(QueueCounter.class)));
        private int batches;
        private int notes;
        private int closes;
        private int consumed;

        Peer() {
            link.onOpen(this);
            link.takeBatches(new long[] {9});
        }

        void send(byte[] frame) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(frame.length + 8);
            bytes.position(8);
            bytes.put(frame);
            int closesBefore = closes;
            consumed = 0;
            boolean isTaken = link.onFrame(this, new UnsafeBuffer(bytes), 8, frame.length);
            assertThat(isTaken).isTrue();
            assertThat(consumed).isEqualTo(frame.length);
            int found = takeBatches() + takeNotes();
            assertThat(found + closes - closesBefore).as("one of the three").isEqualTo(1);
        }

        private int takeBatches() {
            int[] found = new int[1];
            ring.poll(
                    slot -> {
                        if (slot.length() > 0) {
                            assertThat(BatchLayout.isWhole(
                                            slot.buffer(), 0, slot.length(), new CRC32C(), new BodyReader()))
                                    .isTrue();
                            assertThat(slot.count()).isEqualTo(BatchLayout.count(slot.buffer(), 0));
                            found[0]++;
                        }
                        return true;
                    },
                    2);
            batches += found[0];
            return found[0];
        }

        private int takeNotes() {
            PeerLink.Note note = link.peek();
            if (note == null) {
                return 0;
            }
            assertThat(note.hello() != null || (note.stream() != 0 && note.seq() >= 0))
                    .isTrue();
            link.remove();
            assertThat(link.peek()).isNull();
            notes++;
            return 1;
        }

        @Override
        public boolean offer(DirectBuffer buffer, int offset, int length) {
            return true;
        }

        @Override
        public void consumed(int bytes) {
            consumed += bytes;
        }

        @Override
        public boolean hasCaughtUp() {
            return true;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            closes++;
        }

        @Override
        public String remote() {
            return "peer";
        }
    }
}
