package io.chimera.archive.index;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Some bits of a key, all in one record of slices.
 *
 * @param positions of the bits in the signature
 * @param groups of the bundle
 */
@SuppressWarnings("ArrayRecordComponent") // made once a probe and bundle; compared nowhere
record SliceProbe(int[] positions, int groups) {
    /** A bit for every group whose bits are all set. */
    byte[] groups(RecordInput in, DirectBuffer record) throws DamagedRecordException {
        byte[] all = new byte[SliceRecord.sliceBytes(groups)];
        Arrays.fill(all, (byte) 0xFF);
        SliceRecord slices = SliceRecord.decode(in, groups);
        for (int position : positions) {
            int offset = slices.offset(position);
            for (int i = 0; i < all.length; i++) {
                all[i] &= record.getByte(offset + i);
            }
        }
        return all;
    }
}
