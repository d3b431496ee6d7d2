package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.alignUp;

/**
 * Where things are on the devices. A position counts what the frontier passes since the volume was formatted; a slot is a
 * position within a turn, and stands for the same block of the same device for ever. Immutable.
 */
final class Geometry {
    final int devices;
    final int alignment;
    final int blockBytes;
    final int groupBlocks;
    final int rootBytes;
    final int streamsMax;
    /** All slots, those of the maps counted: whole groups. */
    final int slots;

    private final int labelStride;
    private final long headBytes;
    private final long deviceBlocks;
    private final int zoneBlocks;
    private final int regionBlocks;

    Geometry(Label label) {
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

    /** Bytes of a device before its first block. */
    static long headBytes(int streamsMax, int alignment, int blockBytes) {
        int stride = Math.max(VolumeLayout.LABEL_STRIDE_MIN, alignment);
        return alignUp(2 * stride + 2 * rootBytes(streamsMax, alignment), blockBytes);
    }

    private static int rootBytes(int streamsMax, int alignment) {
        return alignUp(VolumeLayout.ROOT_HEADER_LENGTH + streamsMax * VolumeLayout.ROOT_ENTRY_LENGTH, alignment);
    }

    /** Bytes of a device that a volume needs of it. */
    long deviceBytes() {
        return headBytes + deviceBlocks * blockBytes;
    }

    long labelOffset(int copy) {
        return (long) copy * labelStride;
    }

    /** On device 0. */
    long rootOffset(long generation) {
        return 2L * labelStride + (generation & 1) * rootBytes;
    }

    int mapBytes() {
        return alignUp(VolumeLayout.MAP_HEADER_LENGTH + (groupBlocks - 1) * VolumeLayout.MAP_ENTRY_LENGTH, alignment);
    }

    int slot(long position) {
        return (int) (position % slots);
    }

    boolean isMap(long position) {
        return position % groupBlocks == groupBlocks - 1;
    }

    /** Slots that hold data. */
    int dataSlots() {
        return slots / groupBlocks * (groupBlocks - 1);
    }

    int device(int slot) {
        return slot % devices;
    }

    /** Of a slot on its device. */
    long offset(int slot) {
        return headBytes + (long) index(slot / devices) * blockBytes;
    }

    /**
     * The order of 4.5: R1, S1, Tn, R2, S2, Tn-1 ..., where R, S and T are thirds of the device and their regions are
     * counted from the front. What is over after the thirds comes last.
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
