package io.chimera.bench.archive.disk;

import io.chimera.bench.report.ProgramRun;
import io.chimera.bench.report.Work;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Loop device on a file, past the page cache: all compared writers use the same device without any other layer. The
 * write speed can be capped. The device, the mount and the file are removed at the end, even when the process is asked
 * to end.
 */
public final class DirectLoopDisk implements AutoCloseable {
    private static final Path CAPS = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");

    /** Field of the statistics of a block device: sectors written. */
    private static final int SECTORS_WRITTEN = 6;

    /** Sector of the statistics, whatever the sector of the device. */
    private static final int SECTOR_BYTES = 512;

    private final Path file;
    private final String device;
    private final String number;
    private final Thread atExit = new Thread(this::release);
    private Path mounted;

    private DirectLoopDisk(Path file, String device) throws IOException {
        this.file = file;
        this.device = device;
        number = Files.readString(
                        Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev"))
                .strip();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Creates a loop device of the given size; requires root. */
    public static DirectLoopDisk attach(DiskSite site, long bytes) throws IOException, InterruptedException {
        Path file = site.folder().resolve("disk");
        ProgramRun.run(List.of(ProgramRun.require("fallocate"), "-l", Long.toString(bytes), file.toString()));
        try {
            String device = ProgramRun.run(List.of(
                            ProgramRun.require("losetup"),
                            "--find",
                            "--show",
                            "--direct-io=on",
                            "--sector-size=4096",
                            file.toString()))
                    .strip();
            return new DirectLoopDisk(file, device);
        } catch (IOException e) {
            Files.delete(file);
            throw new IOException("root and loop devices are required: " + e.getMessage(), e);
        }
    }

    /** Returns the path of the device. */
    String device() {
        return device;
    }

    /** Returns whether this machine can cap the speed of devices. */
    public static boolean canCap() {
        return Files.isWritable(CAPS);
    }

    /** Caps writes at the given number of bytes/s; 0 removes the cap. */
    public void cap(long bytesPerSecond) throws IOException {
        Files.writeString(CAPS, number + " " + bytesPerSecond);
    }

    /**
     * Writes the first bytes of the device, so that the file of the loop device has these blocks, and first writes are
     * as fast as later writes.
     */
    public void touch(long bytes) throws IOException {
        try (BlockDevice opened = BlockDevices.open(device, DeviceOptions.existing())) {
            RawWriter.write("first", opened, bytes);
        }
    }

    /** Mounts an empty XFS on the device; overwrites all earlier content. */
    Path mountXfs() throws IOException, InterruptedException {
        ProgramRun.run(List.of(ProgramRun.require("mkfs.xfs"), "-q", "-f", "-K", device));
        Path folder = file.resolveSibling("xfs");
        mount(folder);
        return folder;
    }

    /**
     * Mounts an empty ext4 on the device; overwrites all earlier content. Keeps the blocks of the file, and leaves no
     * initialisation to the background.
     *
     * @param folder mount point, created if missing
     */
    public void mountExt4(Path folder) throws IOException, InterruptedException {
        ProgramRun.run(List.of(
                ProgramRun.require("mkfs.ext4"),
                "-q",
                "-F",
                "-E",
                "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
                device));
        mount(folder);
    }

    private void mount(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        ProgramRun.run(List.of(ProgramRun.require("mount"), device, folder.toString()));
        mounted = folder;
    }

    /** Limits the dirty bytes of the device in the page cache, as on a machine with less memory. */
    void limitCache(long bytes) throws IOException {
        try {
            setCache("max_bytes", Long.toString(bytes));
        } catch (IOException e) {
            return; // refused when the limit is lower already
        }
        setCache("strict_limit", "1");
    }

    /** Restores the limits, which the kernel keeps beyond the life of the device. */
    private void unlimitCache() throws IOException {
        setCache("strict_limit", "0");
        setCache("max_ratio", "100");
    }

    private void setCache(String limit, String value) throws IOException {
        Path setting = Path.of("/sys/class/bdi", number, limit);
        if (Files.exists(setting)) { // since Linux 6.2
            Files.writeString(setting, value);
        }
    }

    /** Returns the bytes written to the device since its creation. */
    public long writtenBytes() throws IOException {
        Path stat = Path.of("/sys/block", Path.of(device).getFileName().toString(), "stat");
        return Long.parseLong(Files.readString(stat).strip().split(" +", -1)[SECTORS_WRITTEN]) * SECTOR_BYTES;
    }

    /** Unmounts the file system. */
    public void unmount() throws IOException, InterruptedException {
        if (mounted != null) {
            ProgramRun.run(List.of(ProgramRun.require("umount"), mounted.toString()));
            mounted = null;
        }
    }

    /** Unmounts even a file system with open files, because an interrupted writer may end later. */
    private void detachMount() throws IOException, InterruptedException {
        if (mounted != null) {
            ProgramRun.run(List.of(ProgramRun.require("umount"), "--lazy", mounted.toString()));
            mounted = null;
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        release();
    }

    /** Runs all cleanup steps despite failures, and reports each failed step. */
    private void release() {
        attempt("the cap of " + device, () -> {
            if (canCap()) {
                cap(0);
            }
        });
        attempt("the limit of " + device, this::unlimitCache);
        attempt("the file system on " + device, this::detachMount);
        attempt(device, () -> ProgramRun.run(List.of(ProgramRun.require("losetup"), "--detach", device)));
        attempt(file.toString(), () -> Files.deleteIfExists(file));
    }

    private static void attempt(String what, Work step) {
        try {
            step.run();
        } catch (IOException e) {
            System.err.println(what + " was not removed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            System.err.println(what + " may not have been removed.");
        }
    }
}
