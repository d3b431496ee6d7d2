package io.chimera.faults.chaos.cluster;

import io.chimera.apps.archive.Volume;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.faults.chaos.machine.LoopDevice;
import io.chimera.faults.chaos.machine.LoopDisk;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** The volume of a processor, on a device that can be made to refuse writes. One thread. */
public final class FailingVolume {
    /** Not written once around in hours of the load, so that there is always something on it that has no room yet. */
    private static final long VOLUME_BYTES = 256L << 20;

    private static final long DISK_BYTES = 512L << 20;

    private final LoopDisk disk;
    private final LoopDevice device;

    private FailingVolume(LoopDisk disk, LoopDevice device) {
        this.disk = disk;
        this.device = device;
    }

    /**
     * Makes an empty one.
     *
     * @param folder takes it
     */
    static FailingVolume make(Path folder) throws InterruptedException {
        Path mounted = folder.resolve("archive");
        LoopDisk disk = LoopDisk.mount(folder.resolve("archive.img"), DISK_BYTES, mounted);
        LoopDevice device = LoopDevice.attach(mounted.resolve("volume.img"), VOLUME_BYTES);
        Volume.create(List.of(device.path().toString()), 0, FormatSettings.DEFAULT, new SecureRandom());
        return new FailingVolume(disk, device);
    }

    /** The device. */
    Path path() {
        return device.path();
    }

    /** What is written to it from now on fails. */
    public void fail() {
        disk.fill();
    }

    /** It takes writes again. */
    public void mend() {
        disk.free();
    }
}
