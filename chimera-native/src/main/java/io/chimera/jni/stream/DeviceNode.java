package io.chimera.jni.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Kernel information about a path: whether the path is a block device, and the sector sizes. */
final class DeviceNode {

    private static final int MODE_TYPE = 0170000;
    private static final int MODE_BLOCK_DEVICE = 0060000;
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    private DeviceNode() {}

    static boolean isBlockDevice(Path path) throws IOException {
        return ((int) Files.getAttribute(path, "unix:mode") & MODE_TYPE) == MODE_BLOCK_DEVICE;
    }

    /** Physical sector size as reported by the disk; for a file, of the disk below the file. 0 when unknown. */
    static int physicalSectorBytes(Path path) throws IOException {
        Path system = systemFolder(path, isBlockDevice(path) ? "unix:rdev" : "unix:dev");
        for (Path folder : List.of(system, system.resolve(".."))) {
            Path file = folder.resolve("queue/physical_block_size");
            if (Files.exists(file)) {
                return Integer.parseInt(Files.readString(file).strip());
            }
        }
        return 0;
    }

    /**
     * Offset of the first byte within a disk sector as reported by the kernel; for a file, of the partition below the
     * file.
     */
    static int sectorOffsetBytes(Path path) throws IOException {
        Path file = systemFolder(path, isBlockDevice(path) ? "unix:rdev" : "unix:dev")
                .resolve("alignment_offset");
        return Files.exists(file) ? Integer.parseInt(Files.readString(file).strip()) : 0;
    }

    /** Mount point of a device, of its whole disk or of its partitions; empty when not mounted. */
    static String mountPoint(Path device) throws IOException {
        Path system = systemFolder(device, "unix:rdev").toRealPath();
        try (Stream<String> mounts = Files.lines(MOUNTS)) {
            for (String mount : (Iterable<String>) mounts::iterator) {
                String[] words = mount.split(" ", 3);
                Path source = Path.of(words[0]);
                if (source.isAbsolute() && Files.exists(source) && isBlockDevice(source)) {
                    Path other = systemFolder(source, "unix:rdev").toRealPath();
                    if (other.startsWith(system) || system.startsWith(other)) {
                        return words[1];
                    }
                }
            }
        }
        return "";
    }

    private static Path systemFolder(Path path, String attribute) throws IOException {
        long number = ((Number) Files.getAttribute(path, attribute, new LinkOption[0])).longValue();
        // Splits a device number like the C library (major, minor).
        long major = (number >>> 8 & 0xFFF) | (number >>> 32 & ~0xFFFL);
        long minor = (number & 0xFF) | (number >>> 12 & ~0xFFL);
        return DEVICES.resolve(major + ":" + minor);
    }
}
