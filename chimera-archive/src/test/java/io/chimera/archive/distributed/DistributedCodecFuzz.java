package io.chimera.archive.distributed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.index.IndexMessages;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Arbitrary bytes are a message or are rejected. Header and checksum are corrected, so the fuzzer reaches the rest. */
final class DistributedCodecFuzz {
    private static final int CRC = 4;
    private static final int TYPE = 8;
    private static final byte[] HEADER =
            new IndexMessages(PacketKeys.keys()).begin(DistributedCodec.PARCEL).toBytes();

    private final DistributedCodec codec = new DistributedCodec(PacketKeys.keys());

    @FuzzTest(maxDuration = "1m")
    void readsAnyBytes(byte[] bytes) {
        for (byte type = DistributedCodec.PARCEL; type <= DistributedCodec.ANSWER; type++) {
            byte[] message = Arrays.copyOf(HEADER, HEADER.length + bytes.length);
            System.arraycopy(bytes, 0, message, HEADER.length, bytes.length);
            message[TYPE] = type;
            UnsafeBuffer buffer = new UnsafeBuffer(message);
            int sum = Checksums.crc32c(new CRC32C(), buffer, TYPE, message.length - TYPE);
            buffer.putInt(CRC, sum, ByteOrder.LITTLE_ENDIAN);
            read(type, message);
        }
    }

    private void read(byte type, byte[] message) {
        try {
            switch (type) {
                case DistributedCodec.PARCEL -> codec.parcel(message);
                case DistributedCodec.REPLY -> codec.reply(message);
                case DistributedCodec.QUESTION -> codec.question(message);
                default -> codec.answer(message);
            }
        } catch (DamagedRecordException e) {
            // rejected
        }
    }
}
