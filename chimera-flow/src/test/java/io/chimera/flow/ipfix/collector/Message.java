package io.chimera.flow.ipfix.collector;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Builds messages by hand, number by number. */
final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Offset of the length field of an IPFIX message, or -1. */
    private final int lengthAt;

    private int setAt = -1;

    private Message(int lengthAt) {
        this.lengthAt = lengthAt;
    }

    static Message ipfix(long exportSeconds, long sequence, long domain) {
        return new Message(2).u16(10).u16(0).u32(exportSeconds).u32(sequence).u32(domain);
    }

    static Message netflow9(long uptimeMs, long exportSeconds, long sequence, long source) {
        return new Message(-1)
                .u16(9)
                .u16(1)
                .u32(uptimeMs)
                .u32(exportSeconds)
                .u32(sequence)
                .u32(source);
    }

    static Message netflow5(int count, long uptimeMs, long exportSeconds, long sequence, int engine, int sampling) {
        return new Message(-1)
                .u16(5)
                .u16(count)
                .u32(uptimeMs)
                .u32(exportSeconds)
                .u32(500_000_000)
                .u32(sequence)
                .u16(engine)
                .u16(sampling);
    }

    Message u8(int... values) {
        for (int value : values) {
            bytes.write(value);
        }
        return this;
    }

    Message u16(int... values) {
        for (int value : values) {
            u8(value >> 8, value);
        }
        return this;
    }

    Message u32(long value) {
        return u16((int) (value >> 16), (int) value);
    }

    Message u64(long value) {
        return u32(value >>> 32).u32(value);
    }

    Message hex(String digits) {
        bytes.writeBytes(HexFormat.of().parseHex(digits.replace(" ", "")));
        return this;
    }

    /** Begins a set; the length is filled in later. */
    Message set(int id) {
        endSet();
        setAt = bytes.size();
        return u16(id, 0);
    }

    private void endSet() {
        if (setAt >= 0) {
            patch(setAt + 2, bytes.size() - setAt);
        }
        setAt = -1;
    }

    private void patch(int at, int value) {
        byte[] all = bytes.toByteArray();
        all[at] = (byte) (value >> 8);
        all[at + 1] = (byte) value;
        bytes.reset();
        bytes.writeBytes(all);
    }

    byte[] bytes() {
        endSet();
        if (lengthAt >= 0) {
            patch(lengthAt, bytes.size());
        }
        return bytes.toByteArray();
    }
}
