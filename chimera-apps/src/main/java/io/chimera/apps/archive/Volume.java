package io.chimera.apps.archive;

import io.chimera.archive.query.ArchiveQuery;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.Question;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.ByteSize;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceException;
import io.chimera.jni.stream.DeviceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A volume that is open: its devices, its streams, and the questions to them. What is written goes through {@link #store} on one thread;
 * {@link #ask} is for any.
 */
public final class Volume implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Volume.class);

    private final StreamStore store;
    private volatile List<ArchiveStream> streams;

    /** A volume over a store that is open, which it closes. */
    Volume(StreamStore store) {
        this.store = store;
        streams = List.of();
    }

    /**
     * Formats devices as one volume. What they held is lost.
     *
     * @param targets devices, partitions or files
     * @param fileBytes size of those that are files; 0: as large as they are
     * @param secrets make handles that nobody guesses
     * @throws ChimeraException which names the device and the remedy
     */
    public static void create(List<String> targets, long fileBytes, FormatSettings settings, RandomGenerator secrets) {
        List<BlockDevice> devices = devices(targets, DeviceOptions.file(fileBytes));
        try {
            StreamFs.format(devices, settings, secrets);
        } finally {
            devices.forEach(BlockDevice::close);
        }
    }

    /**
     * Opens a volume, which nobody else may have open.
     *
     * @throws ChimeraException which names the device and the remedy
     */
    public static Volume open(List<String> targets, Clock clock) {
        return new Volume(StreamFs.open(devices(targets, DeviceOptions.existing()), VolumeSettings.DEFAULT, clock));
    }

    /**
     * Opens the volume that a node writes, and makes it where none of its files is there.
     *
     * @param folder what relative paths begin at
     * @throws ChimeraException which names the device and the remedy
     */
    public static Volume openOrCreate(VolumeConfig config, Path folder, Clock clock) {
        List<Path> devices = config.devices().stream().map(folder::resolve).toList();
        if (devices.stream().noneMatch(Files::exists)) {
            create(devices, config.size());
        }
        return open(devices.stream().map(Path::toString).toList(), clock);
    }

    /** Made under other names first: what is there under its own is a volume. */
    private static void create(List<Path> devices, ByteSize size) {
        List<Path> made = devices.stream().map(path -> Path.of(path + ".new")).toList();
        try {
            for (Path path : made) {
                Files.createDirectories(path.toAbsolutePath().getParent());
                Files.deleteIfExists(path);
            }
            create(
                    made.stream().map(Path::toString).toList(),
                    size.bytes(),
                    FormatSettings.DEFAULT,
                    new SecureRandom());
            for (int i = 0; i < made.size(); i++) {
                Files.move(made.get(i), devices.get(i), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "The volume " + devices + " cannot be made: " + e.getMessage() + ".", e);
        }
        LOG.info("Made a volume of {}, {} each.", devices, size);
    }

    /** The same to be asked only: its streams are those that are there. */
    public static Volume openToAsk(List<String> targets, Clock clock) {
        Volume volume = open(targets, clock);
        try {
            volume.show(List.of());
            return volume;
        } catch (RuntimeException e) {
            volume.close();
            throw e;
        }
    }

    /**
     * Removes a stream with its index, and what they hold, of a volume that nobody has open.
     *
     * @throws ChimeraException when there is none of this name, or the volume cannot be opened
     */
    public static void remove(List<String> targets, String name, Clock clock) {
        try (StreamFs store =
                StreamFs.open(devices(targets, DeviceOptions.existing()), VolumeSettings.DEFAULT, clock)) {
            List<StreamStatus> removed = ArchiveStream.removedWith(store, name);
            if (removed.isEmpty()) {
                throw new ChimeraException(
                        Category.ERROR,
                        "There is no stream " + name + " in the volume; see which there are with chimera archive ls.");
            }
            removed.forEach(stream -> store.remove(stream.stream()));
        }
    }

    private static List<BlockDevice> devices(List<String> targets, DeviceOptions options) {
        List<BlockDevice> devices = new ArrayList<>();
        try {
            targets.forEach(target -> devices.add(BlockDevices.open(target, options)));
            return devices;
        } catch (DeviceException e) {
            devices.forEach(BlockDevice::close);
            throw new ChimeraException(Category.ERROR, e.getMessage(), e);
        }
    }

    /** What is written. */
    public StreamStore store() {
        return store;
    }

    /**
     * Lets all streams of packets and data points be asked that there are now. Writer's thread.
     *
     * @param written those that are written, with their indices
     */
    public void show(List<ArchiveStream> written) {
        List<ArchiveStream> all = new ArrayList<>(written);
        Set<String> names = written.stream().map(ArchiveStream::name).collect(Collectors.toSet());
        all.addAll(ArchiveStream.all(store, names));
        streams = List.copyOf(all);
    }

    /** The streams that can be asked. */
    public List<ArchiveStream> streams() {
        return streams;
    }

    /**
     * Asks about packets or data points, whichever the streams hold that the question is about.
     *
     * @throws ChimeraException when the question is not understood
     */
    public ArchiveQuery<?> ask(Question question) {
        return ArchiveQuery.of(store, streams, question);
    }

    /**
     * Asks about packets.
     *
     * @throws ChimeraException when the question is not understood
     */
    public PacketQuery askPackets(Question question) {
        return new PacketQuery(store, streams, question);
    }

    /**
     * Asks about packets for another archive node, which does not know the streams here: one that is not there holds nothing.
     *
     * @throws ChimeraException when the question is not understood
     */
    public PacketQuery askForPeer(Question question) {
        boolean isThere = question.stream().isEmpty()
                || streams.stream()
                        .anyMatch(stream -> stream.kind().equals(ArchiveStream.PACKETS)
                                && stream.name().equals(question.stream()));
        return isThere ? askPackets(question) : new PacketQuery(store, List.of(), question.ofAnyStream());
    }

    @Override
    public void close() {
        store.close();
    }
}
