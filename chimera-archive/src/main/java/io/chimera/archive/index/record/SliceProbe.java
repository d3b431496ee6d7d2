package io.chimera.archive.index.record;

import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Bits of a key in one slice record.
 *
 * @param positions positions of the bits in the signature
 * @param groups number of groups in the bundle
 */
@SuppressWarnings("ArrayRecordComponent") // one per probe and bundle; never compared
public record SliceProbe(int[] positions, int groups) {
    /** Returns one bit per group, set if the group has all bits of the key. */
    public byte[] groups(RecordInput in, DirectBuffer record) throws DamagedRecordException {
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
