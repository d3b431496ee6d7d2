package io.chimera.archive.query.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PacketIntervalTest {
    private static final int ETHERNET = 1;
    private static final int IP = 101;

    private final UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(300_000));
    private final PacketIntervalWriter writer = new PacketIntervalWriter(64 << 10);
    private final PacketInterval interval = new PacketInterval();

    @Test
    void packetsComeBackAsTheyWere() {
        Random random = new Random(1);
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            frames.add(bytes);
            assertThat(add(1000 - i, bytes, bytes.length + i, 0, 0)).isTrue();
        }
        wrap();
        assertThat(interval.linkType()).isEqualTo(ETHERNET);
        assertThat(interval.packets()).isEqualTo(100);
        assertThat(interval.firstNs()).isEqualTo(901);
        assertThat(interval.lastNs()).isEqualTo(1000);
        for (int i = 0; i < 100; i++) {
            assertThat(interval.next()).isTrue();
            assertThat(interval.timeNs()).isEqualTo(1000 - i);
            assertThat(interval.length()).isEqualTo(frames.get(i).length + i);
            assertThat(bytes()).isEqualTo(frames.get(i));
        }
        assertThat(interval.next()).isFalse();
    }

    @Test
    void aTagThatTheKernelTookOffStandsInTheFrameAgain() {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 8, 0, 69};
        add(1, bytes, 60, 0x2005, 0x8100);
        wrap();
        interval.next();
        assertThat(bytes())
                .isEqualTo(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, (byte) 0x81, 0, 0x20, 5, 8, 0, 69});
        assertThat(interval.length()).isEqualTo(64);
    }

    @Test
    void aFullIntervalTakesNoMore() {
        byte[] bytes = new byte[1000];
        int added = 0;
        while (add(added, bytes, 1000, 0, 0)) {
            added++;
        }
        assertThat(added).isEqualTo((64 << 10) / 1016);
        assertThat(writer.finish()).isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void aPacketLongerThanAnIntervalHasOneForItself() {
        byte[] bytes = new byte[262_144];
        assertThat(add(1, bytes, 262_144, 5, 0x8100)).isTrue();
        assertThat(add(2, new byte[10], 10, 0, 0)).isFalse();
        wrap();
        interval.next();
        assertThat(interval.captured()).isEqualTo(262_148);
    }

    @Test
    void framesOfAnotherKindBeginAnotherInterval() {
        add(1, new byte[20], 20, 0, 0);
        assertThat(writer.add(IP, 2, frame.addressOffset(), 20, 20, 0, 0)).isFalse();
        writer.clear();
        assertThat(writer.add(IP, 2, frame.addressOffset(), 20, 20, 0, 0)).isTrue();
        wrap();
        assertThat(interval.linkType()).isEqualTo(IP);
    }

    @Test
    void anIntervalWithoutPacketsIsOne() {
        wrap();
        assertThat(interval.next()).isFalse();
    }

    @Test
    void whatIsNoIntervalIsRefused() {
        UnsafeBuffer other = new UnsafeBuffer(new byte[64]);
        assertThatThrownBy(() -> interval.wrap(other, 0, 64))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("another stream");
        assertThatThrownBy(() -> interval.wrap(other, 0, 8)).isInstanceOf(ChimeraException.class);
        int bytes = writer.finish();
        assertThatThrownBy(() -> interval.wrap(writer.buffer(), 0, bytes + 8)).isInstanceOf(ChimeraException.class);
    }

    @Test
    void nothingOutsideOfADamagedRecordIsRead() {
        Random random = new Random(7);
        for (int run = 0; run < 2000; run++) {
            writer.clear();
            for (int i = 0; i < 5; i++) {
                add(i, new byte[random.nextInt(100)], 100, 0, 0);
            }
            int bytes = writer.finish();
            byte[] copy = new byte[bytes];
            writer.buffer().getBytes(0, copy);
            copy[6 + random.nextInt(bytes - 6)] ^= (byte) (1 << random.nextInt(8));
            try {
                interval.wrap(new UnsafeBuffer(copy), 0, bytes);
                int at = 0;
                while (interval.next()) {
                    at += PacketInterval.bytesOf(interval.captured());
                    assertThat(at).isLessThanOrEqualTo(bytes);
                }
            } catch (ChimeraException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    private boolean add(long timeNs, byte[] bytes, int length, int tci, int tpid) {
        frame.putBytes(0, bytes);
        return writer.add(ETHERNET, timeNs, frame.addressOffset(), bytes.length, length, tci, tpid);
    }

    private void wrap() {
        interval.wrap(writer.buffer(), 0, writer.finish());
    }

    private byte[] bytes() {
        byte[] bytes = new byte[interval.captured()];
        new UnsafeBuffer(interval.address(), bytes.length).getBytes(0, bytes);
        return bytes;
    }
}
