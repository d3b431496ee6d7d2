package io.chimera.flow.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary bytes never cause an exception or a read outside of the captured bytes. Assertions check every read, and
 * the result must not depend on the surrounding memory.
 */
final class PacketDecoderFuzz {
    private static final int[] LINK_TYPES = {
        LinkLayer.ETHERNET,
        LinkLayer.RAW,
        LinkLayer.NULL,
        LinkLayer.LINUX_SLL,
        LinkLayer.LINUX_SLL2,
        LinkLayer.PPP,
        LinkLayer.CISCO_HDLC,
        LinkLayer.IPV6
    };

    @FuzzTest(maxDuration = "1m")
    void decodesAnything(byte[] bytes) {
        if (bytes.length < 2) {
            return;
        }
        int linkType = LINK_TYPES[bytes[0] & LINK_TYPES.length - 1];
        byte[] frame = Arrays.copyOfRange(bytes, 2, Math.min(bytes.length, 1 << 16));
        int captured = Math.max(0, frame.length - (bytes[1] & 0x3F));
        Decoded decoded = new Decoded(new PacketDecoder(linkType, (bytes[0] & 0x80) != 0));
        check(decoded, frame, captured, (bytes[1] & 0x40) != 0 ? 0x8100 : 0);
    }

    private static void check(Decoded decoded, byte[] frame, int captured, int tpid) {
        decoded.decode(frame, captured, (byte) 0, 5, tpid);
        byte[] amongZeros = decoded.bytes();
        PacketTuple tuple = decoded.decode(frame, captured, (byte) 0xFF, 5, tpid);
        assertThat(decoded.bytes()).isEqualTo(amongZeros);
        assertThat(tuple.wireBytes()).isEqualTo(frame.length);
        if (tuple.outcome() == PacketOutcome.IP) {
            assertThat(tuple.ipVersion()).isIn(4, 6);
            assertThat(tuple.ipBytes()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void decodesChangedPackets() {
        Random random = new Random(20240606);
        Decoded outside = new Decoded(new PacketDecoder(LinkLayer.ETHERNET, false));
        Decoded inside = new Decoded(new PacketDecoder(LinkLayer.ETHERNET, true));
        for (int i = 0; i < 100_000; i++) {
            byte[] frame = RandomFrames.next(random);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            int captured = random.nextInt(4) == 0 ? random.nextInt(frame.length + 1) : frame.length;
            check(outside, frame, captured, 0);
            check(inside, frame, captured, random.nextInt(2) * 0x8100);
        }
    }
}
