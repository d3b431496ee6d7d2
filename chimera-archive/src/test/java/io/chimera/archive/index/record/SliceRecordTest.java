package io.chimera.archive.index.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems;
import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.SignatureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SliceRecordTest {
    private static final KeyTable KEYS = new KeyTable(ArchivedItems.KEYS);

    @Test
    void transposesASquareOfBits() {
        Random random = new Random(4);
        long[] square = random.longs(64).toArray();
        long[] turned = square.clone();
        SliceRecord.transpose(turned);
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < 64; j++) {
                assertThat(turned[j] >>> i & 1).isEqualTo(square[i] >>> j & 1);
            }
        }
    }

    @Test
    void sliceHoldsTheBitOfEveryGroup() throws DamagedRecordException {
        Random random = new Random(5);
        KeyBits bits = KeyBits.of(SignatureKind.SPLIT_BLOCK, 12);
        for (int groups : new int[] {1, 7, 64, 65, 100, 256}) {
            List<long[]> signatures = new ArrayList<>();
            for (int i = 0; i < groups; i++) {
                signatures.add(random.longs(6 * KeyBits.BLOCK_LONGS).toArray());
            }
            RecordOutput out = new RecordOutput(KEYS);
            SliceRecord.encode(out, signatures, 3, 1, 2, bits);
            UnsafeBuffer record = new UnsafeBuffer(out.end(), 0, out.length());
            for (int position = 256; position < 3 * 256; position++) {
                RecordInput in = new RecordInput(KEYS).begin(record, SliceRecord.TYPE);
                byte[] found = new SliceProbe(new int[] {position}, groups).groups(in, record);
                for (int group = 0; group < groups; group++) {
                    boolean isSet = bit(signatures.get(group), position, 2 * (position / 256))
                            || bit(signatures.get(group), position, 2 * (position / 256) + 1);
                    assertThat((found[group / 8] >> group % 8 & 1) == 1).isEqualTo(isSet);
                }
            }
        }
    }

    private static boolean bit(long[] signature, int position, int block) {
        return (signature[block * KeyBits.BLOCK_LONGS + position % 256 / 64] >>> position & 1) == 1;
    }
}
