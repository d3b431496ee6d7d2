package io.chimera.archive.server.volume;

import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of the volume of a node's writer. If no file exists, the files are created under temporary names, so that a
 * file under its final name always belongs to a complete volume. Then the files are renamed one after the other; an
 * interrupted rename is completed at the next start.
 */
final class VolumeFiles {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeFiles.class);
    private static final String NEW = ".new";

    /** Minimum size of a file with a label; a shorter file is incomplete. */
    private static final long LABELLED_BYTES_MIN = 1 << 20;

    private final VolumeConfig config;
    private final List<Path> devices;

    /**
     * Creates the description without touching files.
     *
     * @param folder base of relative paths
     */
    VolumeFiles(VolumeConfig config, Path folder) {
        this.config = config;
        devices = config.devices().stream().map(folder::resolve).toList();
    }

    /** Returns the paths of all files in order. */
    List<String> paths() {
        return devices.stream().map(Path::toString).toList();
    }

    /**
     * Ensures the existence of all files.
     *
     * @throws ChimeraException when files are missing and cannot be created
     */
    void prepare() {
        try {
            boolean isThere = devices.stream().anyMatch(Files::exists);
            List<Path> unnamed = devices.stream()
                    .filter(path -> !Files.exists(path) && Files.exists(made(path)))
                    .toList();
            boolean isWhole = (isThere || unnamed.size() == devices.size()) && areLabelled(unnamed);
            if (isWhole && !unnamed.isEmpty()) {
                name(unnamed);
            } else if (!isThere) {
                create(config.size());
            }
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "The volume " + devices + " cannot be created: " + e.getMessage() + ".", e);
        }
    }

    private static Path made(Path device) {
        return Path.of(device + NEW);
    }

    /** The files are renamed only after all of them have labels. */
    private static boolean areLabelled(List<Path> unnamed) throws IOException {
        for (Path device : unnamed) {
            Path made = made(device);
            if (Files.size(made) < LABELLED_BYTES_MIN || !Volume.isLabelled(made.toString())) {
                return false;
            }
        }
        return true;
    }

    private void create(ByteSize size) throws IOException {
        for (String device : config.devices()) {
            if (Path.of(device).isAbsolute()) {
                throw new ChimeraException(
                        Category.FATAL,
                        "The volume " + device
                                + " does not exist. Mount or connect it, or create a volume with 'chimera archive"
                                + " create "
                                + device + "'.");
            }
        }
        List<Path> made = devices.stream().map(VolumeFiles::made).toList();
        for (Path path : made) {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.deleteIfExists(path); // a file without a label was never part of a volume
        }
        Volume.create(
                made.stream().map(Path::toString).toList(), size.bytes(), FormatSettings.DEFAULT, new SecureRandom());
        name(devices);
        LOG.info("Created volume: devices={} size={}", devices, size);
    }

    /**
     * Renames the files and syncs their directories: a rename undone by a power loss would lose acknowledged records.
     */
    private static void name(List<Path> unnamed) throws IOException {
        for (Path device : unnamed) {
            Files.move(made(device), device, StandardCopyOption.ATOMIC_MOVE);
        }
        for (Path device : unnamed) {
            try (FileChannel folder = FileChannel.open(device.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
                folder.force(true);
            }
        }
    }
}
