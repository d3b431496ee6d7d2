package io.chimera.dataset.format.packet;

import io.chimera.dataset.format.FormatException;
import org.jspecify.annotations.Nullable;

/**
 * Place of a split of packets in its object.
 *
 * @param path path of the object, for messages
 * @param offset offset of the split in the object as stored
 * @param isLast whether the split ends with the object
 */
record PacketOrigin(String path, long offset, boolean isLast) {
    boolean isFirst() {
        return offset == 0;
    }

    /**
     * Describes a defect.
     *
     * @param position position in the content of the split
     */
    FormatException at(long position, String defect, String remedy, @Nullable Throwable cause) {
        return new FormatException(
                path + ", byte " + position + " of the content from offset " + offset + " on: " + defect + "; "
                        + remedy,
                cause);
    }
}
