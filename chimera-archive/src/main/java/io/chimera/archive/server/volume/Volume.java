package io.chimera.archive.server.volume;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.archive.ArchiveKind;
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
 * Open volume: its devices, its streams, and queries of the streams. One thread writes through {@link #store}; {@link
 * #ask} is safe for any thread.
 */
public final class Volume implements Askable, AutoCloseable {
    private final StreamStore store;
    private volatile List<ArchiveStream> streams;

    /** Creates a volume on an open store. The volume closes the store. */
    public Volume(StreamStore store) {
        this.store = store;
        streams = List.of();
    }

    /**
     * Formats devices as one volume. Erases their previous content.
     *
     * @param targets devices, partitions or files
     * @param fileBytes size of file targets; 0 keeps their current size
     * @param secrets source of unguessable handles
     * @throws ChimeraException with the device and a remedy
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
     * Opens a volume exclusively.
     *
     * @throws ChimeraException with the device and a remedy
     */
    public static Volume open(List<String> targets, Clock clock) {
        return new Volume(StreamFs.open(devices(targets, DeviceOptions.existing()), VolumeSettings.DEFAULT, clock));
    }

    /**
     * Opens the volume of a node's writer. Creates the volume if none of its files exists and all paths are relative.
     * An absolute path names a device or lies on a mounted file system. Such a target is never created, because it may
     * be missing only temporarily.
     *
     * @param folder base of relative paths
     * @throws ChimeraException with the device and a remedy
     */
    public static Volume openOrCreate(VolumeConfig config, Path folder, Clock clock) {
        VolumeFiles files = new VolumeFiles(config, folder);
        files.prepare();
        return open(files.paths(), clock);
    }

    /** Whether a file or device has a volume label. */
    static boolean isLabelled(String target) {
        try (BlockDevice device =
                devices(List.of(target), DeviceOptions.existing()).get(0)) {
            return StreamFs.isLabelled(device);
        }
    }

    /** Opens a volume for queries only. All its existing streams can be queried. */
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
     * Removes a stream and its index from a closed volume.
     *
     * @throws ChimeraException when no stream has this name, or the volume cannot be opened
     */
    public static void remove(List<String> targets, String name, Clock clock) {
        try (StreamFs store =
                StreamFs.open(devices(targets, DeviceOptions.existing()), VolumeSettings.DEFAULT, clock)) {
            List<StreamStatus> removed = ArchiveStream.removedWith(store, name);
            if (removed.isEmpty()) {
                throw new ChimeraException(
                        Category.ERROR,
                        "There is no stream " + name + " in the volume. List the streams with chimera archive ls.");
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
            throw new ChimeraException(Category.ERROR, String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the stream store. */
    public StreamStore store() {
        return store;
    }

    /**
     * Makes all current streams of packets and data points available to queries. Writer's thread.
     *
     * @param written the streams under recording, with their indexes
     */
    public void show(List<ArchiveStream> written) {
        List<ArchiveStream> all = new ArrayList<>(written);
        Set<String> names = written.stream().map(ArchiveStream::name).collect(Collectors.toSet());
        all.addAll(ArchiveStream.all(store, names));
        streams = List.copyOf(all);
    }

    /** Returns the queryable streams. */
    public List<ArchiveStream> streams() {
        return streams;
    }

    /** Returns the kinds of data in the queryable streams. */
    public Set<ArchiveKind> kinds() {
        return streams.stream()
                .flatMap(stream -> ArchiveKind.of(stream.kind()).stream())
                .collect(Collectors.toSet());
    }

    /**
     * Queries packets or data points, depending on the kind of the streams named by the question.
     *
     * @throws ChimeraException when the question cannot be parsed
     */
    @Override
    public ArchiveQuery<?> ask(Question question) {
        return ArchiveQuery.of(store, streams, question);
    }

    /**
     * Queries packets.
     *
     * @throws ChimeraException when the question cannot be parsed
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
