package io.chimera.faults.chaos.intruder;

import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.ReplicationFrame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes frames of the channel protocol with length and checksum, and decodes answers of nodes. */
final class ChannelTalk {
    private static final int HEADER_LENGTH = 8;
    private static final int KIND_SHIFT = 24;
    private static final int LENGTH_MASK = (1 << KIND_SHIFT) - 1;
    private static final int DATA = 0;
    private static final int START = 1;
    private static final int MAGIC = 'C' | 'H' << 8 | 'I' << 16 | 'M' << 24;
    private static final int CREDIT_BYTES = 1 << 20;
    private static final long STREAM = 0x1badL;

    private ChannelTalk() {}

    /**
     * Returns the bytes of a node's conversation: START, HELLO, and frames that would end, request or acknowledge parts
     * and change positions.
     *
     * @param session claimed by the sender
     * @param cycle an open cycle
     */
    static byte[] conversation(String cluster, long session, long cycle) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        start.putInt(MAGIC).putInt(1).putInt(CREDIT_BYTES);
        all.writeBytes(framed(START, start.array()));
        Hello hello = Hello.of(session, cluster);
        UnsafeBuffer greeting = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(greeting, 0);
        all.writeBytes(framed(DATA, greeting.byteArray()));
        for (int type : List.of(PartFrame.DATA, PartFrame.END, PartFrame.NEED, PartFrame.OK)) {
            all.writeBytes(framed(DATA, part(type, cycle, session)));
        }
        for (int type : List.of(ReplicationFrame.SUBSCRIBE, ReplicationFrame.POSITION)) {
            UnsafeBuffer frame = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);
            ReplicationFrame.encode(frame, 0, type, STREAM, Long.MAX_VALUE);
            all.writeBytes(framed(DATA, frame.byteArray()));
        }
        return all.toByteArray();
    }

    private static byte[] part(int type, long cycle, long session) {
        boolean isAnswer = type == PartFrame.NEED || type == PartFrame.OK;
        UnsafeBuffer frame = new UnsafeBuffer(new byte[isAnswer ? PartFrame.ANSWER_LENGTH : PartFrame.END_LENGTH]);
        PartFrame.header(frame, 0, type, new PartId(cycle, 0, 0), 0, Integer.MAX_VALUE, 0, 0);
        if (isAnswer) {
            PartFrame.word(frame, 0, 0, session);
        }
        return frame.byteArray();
    }

    private static byte[] framed(int kind, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(payload);
        return ByteBuffer.allocate(HEADER_LENGTH + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kind << KIND_SHIFT | payload.length)
                .putInt((int) crc.getValue())
                .put(payload)
                .array();
    }

    /**
     * Returns whether an answer proves that frames were accepted: the answer contains a node's frame other than HELLO.
     *
     * @param answer bytes after decryption; a TLS alert is no answer
     */
    static boolean isAccepted(byte[] answer) {
        ByteBuffer bytes = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.remaining() >= HEADER_LENGTH) {
            int word = bytes.getInt();
            int checksum = bytes.getInt();
            int length = word & LENGTH_MASK;
            if (length > bytes.remaining() || word >>> KIND_SHIFT > 3) {
                return false;
            }
            byte[] payload = new byte[length];
            bytes.get(payload);
            CRC32C crc = new CRC32C();
            crc.update(payload);
            if ((int) crc.getValue() != checksum) {
                return false;
            }
            if (word >>> KIND_SHIFT == DATA && PartFrame.type(new UnsafeBuffer(payload), 0) != PartFrame.HELLO) {
                return true;
            }
        }
        return false;
    }
}
