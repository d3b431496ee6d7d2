package io.chimera.archive.streamfs.layout;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.stream.BlockDevice;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Writes and reads the labels of a volume's devices. */
public final class VolumeFormat {
    /** Default number of groups per volume: a group is a sixteenth of the volume, at most 256 blocks. */
    private static final int GROUP_DIVISOR = 16;

    private static final int GROUP_BLOCKS_MAX = 256;
    private static final int GROUP_BLOCKS_MIN = 4;
    /** Minimum size of a volume in groups. */
    private static final int GROUPS_MIN = 4;

    /** Minimum sectors per block: a smaller block has no room for runs. */
    static final int SECTORS_MIN = 4;

    private VolumeFormat() {}

    public static void format(DeviceSet devices, FormatSettings settings, RandomGenerator secrets) {
        int alignment = 0;
        long deviceBytes = Long.MAX_VALUE;
        for (int i = 0; i < devices.count(); i++) {
            alignment = Math.max(alignment, devices.device(i).alignment());
            deviceBytes = Math.min(deviceBytes, devices.device(i).size());
        }
        if (settings.blockBytes() < SECTORS_MIN * alignment) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Blocks of " + settings.blockBytes() + " bytes are too small for sectors of " + alignment
                            + "; use larger blocks.");
        }
        long head = Geometry.headBytes(settings.streamsMax(), alignment, settings.blockBytes());
        long blocks = Math.max(0, deviceBytes - head) / settings.blockBytes();
        long perGroup = Long.highestOneBit(Math.max(1, blocks * devices.count() / GROUP_DIVISOR));
        int group = settings.groupBlocks() != 0
                ? settings.groupBlocks()
                : (int) Math.max(GROUP_BLOCKS_MIN, Math.min(GROUP_BLOCKS_MAX, perGroup));
        if (blocks * devices.count() < (long) GROUPS_MIN * group) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The devices have room for " + blocks * devices.count() + " blocks of " + settings.blockBytes()
                            + " bytes, and a volume needs " + (long) GROUPS_MIN * group + "; use larger devices.");
        }
        Label label = new Label(
                secrets.nextLong(),
                secrets.nextLong(),
                secrets.nextLong(),
                0,
                devices.count(),
                alignment,
                settings.blockBytes(),
                group,
                settings.streamsMax(),
                blocks,
                settings.regionBlocks());
        write(devices, label);
    }

    private static void write(DeviceSet devices, Label label) {
        Geometry geometry = new Geometry(label);
        UnsafeBuffer sector = aligned(label.alignment(), label.alignment());
        UnsafeBuffer root = aligned(geometry.rootBytes, label.alignment());
        for (long generation = 0; generation < 2; generation++) {
            new Root(label.volume(), generation, 0, 0, 0, List.of()).encode(root, new CRC32C());
            devices.writeNow(
                    0, geometry.rootOffset(generation), root.addressOffset(), root.capacity(), "the first root");
        }
        devices.flushNow("the first root");
        for (int device = 0; device < devices.count(); device++) {
            label.of(device).encode(sector);
            for (int copy = 0; copy < 2; copy++) {
                devices.writeNow(
                        device, geometry.labelOffset(copy), sector.addressOffset(), sector.capacity(), "its label");
            }
        }
        devices.flushNow("its label");
    }

    /**
     * Returns the label of device 0. Throws if the devices do not belong to one volume, are in another order, or have
     * shrunk.
     */
    public static Label read(DeviceSet devices) {
        Label first = label(devices, 0);
        for (int i = 0; i < devices.count(); i++) {
            Label label = i == 0 ? first : label(devices, i);
            if (label.device() != i || !label.of(0).equals(first.of(0)) || label.devices() != devices.count()) {
                throw new ChimeraException(
                        Category.FATAL,
                        "Device " + i + " is labelled as device " + label.device() + " of " + label.devices()
                                + " of volume " + Long.toHexString(label.volume()) + ", but was given as device " + i
                                + " of " + devices.count() + " of volume " + Long.toHexString(first.volume())
                                + "; list the devices of one volume in the order of formatting.");
            }
            long bytes = new Geometry(label).deviceBytes();
            if (devices.device(i).size() < bytes) {
                throw new ChimeraException(
                        Category.FATAL,
                        "Device " + i + " has " + devices.device(i).size() + " bytes, and the volume needs " + bytes
                                + " of them: the device has shrunk; restore its size.");
            }
        }
        return first;
    }

    /** Returns true if the first device has a label; throws if the label cannot be read. */
    public static boolean isLabelled(DeviceSet devices) {
        Copy copy = copy(devices, 0);
        if (copy.label == null && copy.error != null) {
            throw new ChimeraException(Category.ERROR, "The label of a volume cannot be read: " + copy.error + ".");
        }
        return copy.label != null;
    }

    private static Label label(DeviceSet devices, int index) {
        Copy copy = copy(devices, index);
        if (copy.label == null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Device " + index + " has no label of a volume"
                            + (copy.error == null ? "; format it, or name another device." : ": " + copy.error + "."));
        }
        return copy.label;
    }

    /** A label, or the read error; both are null if the device has no label. */
    private record Copy(@Nullable Label label, @Nullable String error) {}

    private static Copy copy(DeviceSet devices, int index) {
        BlockDevice device = devices.device(index);
        int stride = Math.max(VolumeLayout.LABEL_STRIDE_MIN, device.alignment());
        UnsafeBuffer sector = aligned(device.alignment(), device.alignment());
        String error = null;
        for (int copy = 0; copy < 2; copy++) {
            error = devices.read(index, (long) copy * stride, sector.addressOffset(), sector.capacity());
            Label label = error == null ? Label.decode(sector) : null;
            if (label != null && label.alignment() % device.alignment() == 0) {
                return new Copy(label, null);
            }
        }
        return new Copy(null, error);
    }

    public static UnsafeBuffer aligned(int bytes, int alignment) {
        return new UnsafeBuffer(BufferUtil.allocateDirectAligned(bytes, alignment));
    }
}
