package io.chimera.archive.index;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.index.record.GroupRecord;
import io.chimera.archive.index.record.RecordInput;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.index.record.SliceProbe;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Arbitrary bytes are a record or are rejected as damaged. Header and checksum are corrected, so the fuzzer reaches the
 * rest.
 */
final class IndexRecordFuzz {
    private static final KeyTable KEYS = new KeyTable(ArchivedItems.KEYS);

    @FuzzTest(maxDuration = "1m")
    void readsAnyBytes(byte[] bytes) {
        for (byte type = GroupRecord.TYPE; type <= BundleRecord.TYPE; type++) {
            UnsafeBuffer record =
                    new UnsafeBuffer(Arrays.copyOf(bytes, Math.max(bytes.length, RecordOutput.HEADER_LENGTH)));
            record.putInt(0, RecordOutput.MAGIC, ByteOrder.LITTLE_ENDIAN);
            record.putByte(RecordOutput.TYPE, type);
            record.putByte(RecordOutput.KIND, SignatureKind.SPLIT_BLOCK.code());
            record.putByte(RecordOutput.BITS, (byte) 8);
            record.putByte(RecordOutput.VERSION, RecordOutput.VERSION_NOW);
            record.putInt(RecordOutput.FINGERPRINT, KEYS.fingerprint(), ByteOrder.LITTLE_ENDIAN);
            int sum = Checksums.crc32c(new CRC32C(), record, RecordOutput.TYPE, record.capacity() - RecordOutput.TYPE);
            record.putInt(RecordOutput.CRC, sum, ByteOrder.LITTLE_ENDIAN);
            read(record, type);
        }
    }

    private static void read(UnsafeBuffer record, byte type) {
        try {
            RecordInput in = new RecordInput(KEYS).begin(record, type);
            if (type == GroupRecord.TYPE) {
                GroupRecord.decode(in, KEYS).forEach(entry -> entry.mayMatch(probe(), KEYS));
            } else if (type == BundleRecord.TYPE) {
                BundleRecord.decode(in, KEYS).groups().forEach(group -> group.mayMatch(probe(), KEYS));
            } else {
                new SliceProbe(new int[] {0, 300}, 64).groups(in, record);
            }
        } catch (DamagedRecordException e) {
            // rejected
        }
    }

    private static Probe probe() {
        return Probe.and(
                Probe.exact(ArchivedItems.A, 1),
                Probe.range(ArchivedItems.V, -1, 1),
                Probe.frequent(ArchivedItems.V, 1, 1));
    }
}
