package io.chimera.apps.archive;

import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.common.config.ByteSize;
import io.chimera.common.config.VolumeConfig;
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
 * The files of the volume that a node writes. Where none of them is there they are made, under other names first: what is there under
 * its own name is a whole volume. They are given their own names one after the other; where that was broken off, it is finished.
 */
final class VolumeFiles {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeFiles.class);
    private static final String NEW = ".new";

    /** A file that is shorter is not finished. */
    private static final long LABELLED_BYTES_MIN = 1 << 20;

    private final VolumeConfig config;
    private final List<Path> devices;

    /**
     * Nothing is done yet.
     *
     * @param folder what relative paths begin at
     */
    VolumeFiles(VolumeConfig config, Path folder) {
        this.config = config;
        devices = config.devices().stream().map(folder::resolve).toList();
    }

    /** Paths of all of them, in order. */
    List<String> paths() {
        return devices.stream().map(Path::toString).toList();
    }

    /**
     * Sees that they are there.
     *
     * @throws ChimeraException when they are not, and cannot be made
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
                    Category.FATAL, "The volume " + devices + " cannot be made: " + e.getMessage() + ".", e);
        }
    }

    private static Path made(Path device) {
        return Path.of(device + NEW);
    }

    /** They get their names only when all of them have their labels. */
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
                                + " is not there. Mount or connect it; or make one with 'chimera archive create "
                                + device + "'.");
            }
        }
        List<Path> made = devices.stream().map(VolumeFiles::made).toList();
        for (Path path : made) {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.deleteIfExists(path); // without a label: it never was a volume
        }
        Volume.create(
                made.stream().map(Path::toString).toList(), size.bytes(), FormatSettings.DEFAULT, new SecureRandom());
        name(devices);
        LOG.info("Made a volume of {}, {} each.", devices, size);
    }

    /** What a loss of power undoes later would take acknowledged records with it. */
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
