package io.chimera.archive.streamfs.layout;

import static io.chimera.archive.streamfs.layout.VolumeLayout.alignUp;

/**
 * Maps positions and slots to device offsets. A position counts every slot the frontier has passed since format; a slot
 * is a position within a turn and always denotes the same block of the same device. Immutable.
 */
public final class Geometry {
    final int devices;
    public final int alignment;
    public final int blockBytes;
    public final int groupBlocks;
    public final int rootBytes;
    public final int streamsMax;
    /** Number of slots, map slots included; a multiple of the group size. */
    public final int slots;

    private final int labelStride;
    private final long headBytes;
    private final long deviceBlocks;
    private final int zoneBlocks;
    private final int regionBlocks;

    public Geometry(Label label) {
        devices = label.devices();
        alignment = label.alignment();
        blockBytes = label.blockBytes();
        groupBlocks = label.groupBlocks();
        labelStride = Math.max(VolumeLayout.LABEL_STRIDE_MIN, alignment);
        streamsMax = label.streamsMax();
        rootBytes = rootBytes(label.streamsMax(), alignment);
        headBytes = headBytes(label.streamsMax(), alignment, blockBytes);
        deviceBlocks = label.deviceBlocks();
        slots = Math.toIntExact(label.deviceBlocks() * devices / groupBlocks * groupBlocks);
        regionBlocks = label.regionBlocks();
        zoneBlocks = regionBlocks == 0 ? 0 : (int) (label.deviceBlocks() / 3 / regionBlocks) * regionBlocks;
    }

    /** Returns the bytes of a device before its first block. */
    public static long headBytes(int streamsMax, int alignment, int blockBytes) {
        int stride = Math.max(VolumeLayout.LABEL_STRIDE_MIN, alignment);
        return alignUp(2 * stride + 2 * rootBytes(streamsMax, alignment), blockBytes);
    }

    private static int rootBytes(int streamsMax, int alignment) {
        return alignUp(VolumeLayout.ROOT_HEADER_LENGTH + streamsMax * VolumeLayout.ROOT_ENTRY_LENGTH, alignment);
    }

    /** Returns the minimum device size for the volume. */
    long deviceBytes() {
        return headBytes + deviceBlocks * blockBytes;
    }

    public long labelOffset(int copy) {
        return (long) copy * labelStride;
    }

    /** Returns the offset of a root on device 0. */
    public long rootOffset(long generation) {
        return 2L * labelStride + (generation & 1) * rootBytes;
    }

    public int mapBytes() {
        return alignUp(VolumeLayout.MAP_HEADER_LENGTH + (groupBlocks - 1) * VolumeLayout.MAP_ENTRY_LENGTH, alignment);
    }

    public int slot(long position) {
        return (int) (position % slots);
    }

    public boolean isMap(long position) {
        return position % groupBlocks == groupBlocks - 1;
    }

    /** Returns the number of slots for data, without maps. */
    public int dataSlots() {
        return slots / groupBlocks * (groupBlocks - 1);
    }

    public int device(int slot) {
        return slot % devices;
    }

    /** Returns the byte offset of a slot on its device. */
    public long offset(int slot) {
        return headBytes + (long) index(slot / devices) * blockBytes;
    }

    /**
     * Applies the order of Hyperion 2007, 4.5: R1, S1, Tn, R2, S2, Tn-1 ..., where R, S and T are thirds of the device
     * with regions counted from the front. The remainder after the thirds comes last.
     */
    private int index(int sequence) {
        if (sequence >= 3 * zoneBlocks) {
            return sequence;
        }
        int step = sequence / regionBlocks;
        int region = step / 3;
        int zone = step % 3;
        int regionOfZone = zone == 2 ? zoneBlocks / regionBlocks - 1 - region : region;
        return zone * zoneBlocks + regionOfZone * regionBlocks + sequence % regionBlocks;
    }
}
