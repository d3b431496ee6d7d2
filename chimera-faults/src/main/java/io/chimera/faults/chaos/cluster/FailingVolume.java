package io.chimera.faults.chaos.cluster;

import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.faults.chaos.machine.LoopDevice;
import io.chimera.faults.chaos.machine.LoopDisk;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** The volume of a processor, on a device that can be made to refuse writes. One thread. */
public final class FailingVolume {
    /**
     * Size of the volume. Hours of load do not fill the volume, so unallocated blocks of the sparse file always remain
     * for writes to fail at.
     */
    private static final long VOLUME_BYTES = 256L << 20;

    private static final long DISK_BYTES = 512L << 20;

    private final LoopDisk disk;
    private final LoopDevice device;

    private FailingVolume(LoopDisk disk, LoopDevice device) {
        this.disk = disk;
        this.device = device;
    }

    /**
     * Creates an empty volume.
     *
     * @param folder folder of the volume
     */
    static FailingVolume make(Path folder) throws InterruptedException {
        Path mounted = folder.resolve("archive");
        LoopDisk disk = LoopDisk.mount(folder.resolve("archive.img"), DISK_BYTES, mounted);
        LoopDevice device = LoopDevice.attach(mounted.resolve("volume.img"), VOLUME_BYTES);
        Volume.create(List.of(device.path().toString()), 0, FormatSettings.DEFAULT, new SecureRandom());
        return new FailingVolume(disk, device);
    }

    /** Returns the path of the device. */
    Path path() {
        return device.path();
    }

    /** Makes writes to new blocks of the device fail. */
    public void fail() {
        disk.fill();
    }

    /** Makes writes succeed again. */
    public void mend() {
        disk.free();
    }
}
