package io.chimera.bench.archive.disk;

import io.chimera.bench.report.Tool;
import io.chimera.bench.report.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file as a block device past the page cache, and nothing else in the way: all that is compared writes to it. Its speed can be
 * capped. What it set up ends with it, also when the process is asked to end.
 */
public final class LoopDisk implements AutoCloseable {
    private static final Path CAPS = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");

    private final Path file;
    private final String device;
    private final String number;
    private final Thread atExit = new Thread(this::release);
    private Path mounted;

    private LoopDisk(Path file, String device) throws IOException {
        this.file = file;
        this.device = device;
        number = Files.readString(
                        Path.of("/sys/block", Path.of(device).getFileName().toString(), "dev"))
                .strip();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Makes one of so many bytes; it takes root. */
    static LoopDisk attach(DiskSite site, long bytes) throws IOException, InterruptedException {
        Path file = site.folder().resolve("disk");
        Tool.run(List.of(Tool.require("fallocate"), "-l", Long.toString(bytes), file.toString()));
        try {
            String device = Tool.run(List.of(
                            Tool.require("losetup"),
                            "--find",
                            "--show",
                            "--direct-io=on",
                            "--sector-size=4096",
                            file.toString()))
                    .strip();
            return new LoopDisk(file, device);
        } catch (IOException e) {
            Files.delete(file);
            throw new IOException("it needs root and loop devices: " + e.getMessage(), e);
        }
    }

    /** Path of the device. */
    String device() {
        return device;
    }

    /** Whether the speed of devices can be capped here. */
    static boolean canCap() {
        return Files.isWritable(CAPS);
    }

    /** Lets writes through at so many bytes per second; 0: as fast as they go. */
    void cap(long bytesPerSecond) throws IOException {
        Files.writeString(CAPS, number + " " + bytesPerSecond);
    }

    /** An empty XFS on the device; what was on it is gone. */
    Path mountXfs() throws IOException, InterruptedException {
        Tool.run(List.of(Tool.require("mkfs.xfs"), "-q", "-f", "-K", device));
        Path folder = Files.createDirectories(file.resolveSibling("xfs"));
        Tool.run(List.of(Tool.require("mount"), device, folder.toString()));
        mounted = folder;
        return folder;
    }

    /** Lets the page cache hold so many bytes of the device that are not written yet, as if the machine had less memory. */
    void limitCache(long bytes) throws IOException {
        try {
            setCache("max_bytes", Long.toString(bytes));
        } catch (IOException e) {
            return; // refused where it holds less anyway
        }
        setCache("strict_limit", "1");
    }

    /** The kernel keeps the limits beyond the device. */
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

    /** Takes the file system away. */
    void unmount() throws IOException, InterruptedException {
        if (mounted != null) {
            Tool.run(List.of(Tool.require("umount"), mounted.toString()));
            mounted = null;
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        release();
    }

    /** Goes on with the next step whatever becomes of one; says what is left. */
    private void release() {
        attempt("the cap of " + device, () -> {
            if (canCap()) {
                cap(0);
            }
        });
        attempt("the limit of " + device, this::unlimitCache);
        attempt("the XFS on " + device, this::unmount);
        attempt(device, () -> Tool.run(List.of(Tool.require("losetup"), "--detach", device)));
        attempt(file.toString(), () -> Files.deleteIfExists(file));
    }

    private static void attempt(String what, Work step) {
        try {
            step.run();
        } catch (IOException e) {
            System.err.println(what + " is left behind: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            System.err.println(what + " may be left behind.");
        }
    }
}
