package io.chimera.apps.archive;

import io.chimera.archive.query.ArchiveQuery;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.PointQuery;
import io.chimera.archive.query.Question;
import io.chimera.archive.streamfs.FormatSettings;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ArchiveKind;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceException;
import io.chimera.jni.stream.DeviceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A volume that is open: its devices, its streams, and the questions to them. What is written goes through {@link #store} on one thread;
 * {@link #ask} is for any.
 */
public final class Volume implements Askable, AutoCloseable {
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
     * Opens the volume that a node writes, and makes it where none of its files is there and their paths are relative. What a path
     * from the root names is a device, or lies where something is mounted: it is not made, since it may only be missing at the moment.
     *
     * @param folder what relative paths begin at
     * @throws ChimeraException which names the device and the remedy
     */
    public static Volume openOrCreate(VolumeConfig config, Path folder, Clock clock) {
        VolumeFiles files = new VolumeFiles(config, folder);
        files.prepare();
        return open(files.paths(), clock);
    }

    /** Whether a file or device has the label of a volume. */
    static boolean isLabelled(String target) {
        try (BlockDevice device =
                devices(List.of(target), DeviceOptions.existing()).get(0)) {
            return StreamFs.isLabelled(device);
        }
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

    /** What these streams hold. */
    public Set<ArchiveKind> kinds() {
        return streams.stream()
                .flatMap(stream -> ArchiveKind.of(stream.kind()).stream())
                .collect(Collectors.toSet());
    }

    /**
     * Asks about packets or data points, whichever the streams hold that the question is about.
     *
     * @throws ChimeraException when the question is not understood
     */
    @Override
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

    @Override
    public ArchiveQuery<?> askForPeer(Question question, ArchiveKind kind) {
        boolean isThere = question.stream().isEmpty()
                || streams.stream()
                        .anyMatch(stream -> stream.kind().equals(kind.toString())
                                && stream.name().equals(question.stream()));
        List<ArchiveStream> asked = isThere ? streams : List.of();
        Question understood = isThere ? question : question.ofAnyStream();
        return kind == ArchiveKind.POINTS
                ? PointQuery.ofAnyValue(store, asked, understood)
                : new PacketQuery(store, asked, understood);
    }

    @Override
    public void close() {
        store.close();
    }
}
