package io.chimera.archive.query.filter;

import java.util.Arrays;
import java.util.Random;

/** Values of a packet for filters; random values for fields missing in the packet. */
final class PacketPool {
    private final Random random;
    private final int headerLength;
    private byte[] bytes = new byte[0];

    PacketPool(Random random, int headerLength) {
        this.random = random;
        this.headerLength = headerLength;
    }

    void use(byte[] frame) {
        bytes = frame;
    }

    private int u8(int at) {
        return at < bytes.length ? bytes[at] & 0xFF : random.nextInt(256);
    }

    private int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    private int ipAt() {
        return headerLength == 14 && u16(12) == 0x8100 ? 18 : headerLength;
    }

    private boolean is6() {
        return u8(ipAt()) >> 4 == 6;
    }

    String address4() {
        int at = ipAt() + (u16(12) == 0x0806 ? 14 : 12) + (random.nextBoolean() ? 4 : 0);
        return u8(at) + "." + u8(at + 1) + '.' + u8(at + 2) + '.' + u8(at + 3);
    }

    byte[] address6() {
        int at = ipAt() + (random.nextBoolean() ? 8 : 24);
        return at + 16 <= bytes.length ? Arrays.copyOfRange(bytes, at, at + 16) : new byte[16];
    }

    int port() {
        int header = is6() ? 40 : (u8(ipAt()) & 15) * 4;
        return u16(ipAt() + header + (random.nextBoolean() ? 2 : 0));
    }

    int protocol() {
        return u8(ipAt() + (is6() ? 6 : 9));
    }

    int type() {
        return u16(12);
    }

    int vlan() {
        return u16(14) & 0xFFF;
    }

    int label() {
        return u16(14) << 4 | u8(16) >> 4;
    }

    String ethernet() {
        int at = random.nextBoolean() ? 6 : 0;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            text.append(i == 0 ? "" : ":").append(Integer.toHexString(u8(at + i)));
        }
        return text.toString();
    }
}
