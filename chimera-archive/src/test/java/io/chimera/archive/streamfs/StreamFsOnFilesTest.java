package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.SystemClock;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import io.chimera.jni.stream.Mechanism;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Store on files, with each I/O mechanism of this machine: two devices, two turns of the frontier. */
final class StreamFsOnFilesTest {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final long FILE_BYTES = 4 << 20;
    private static final VolumeSettings SETTINGS = new VolumeSettings(Duration.ofMillis(20), 8);

    @TempDir
    private Path folder;

    private List<BlockDevice> devices(Mechanism mechanism) {
        DeviceOptions options = DeviceOptions.file(FILE_BYTES).withMechanism(mechanism);
        List<BlockDevice> devices = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            devices.add(BlockDevices.open(folder.resolve("device" + i).toString(), options));
        }
        return devices;
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatWasAcknowledged(Mechanism mechanism) {
        assumeTrue(BlockDevices.isAvailable(mechanism), () -> BlockDevices.unavailabilityCause(mechanism));
        List<BlockDevice> formatted = devices(mechanism);
        StreamFs.format(formatted, new FormatSettings(BLOCK_BYTES, 8, 8, 0), new Random(1));
        formatted.forEach(BlockDevice::close);
        StreamFs store = StreamFs.open(devices(mechanism), SETTINGS, new SystemClock());
        int stream = store.open(new StreamSettings("a", "test", 1 << 20));
        List<RecordHandle> handles = new ArrayList<>();
        while (store.status().turns() < 2) {
            handles.add(Volumes.append(store, stream, 3000));
            store.doWork();
        }
        Volumes.sync(store, stream);
        store.close();

        StreamFs again = StreamFs.open(devices(mechanism), SETTINGS, new SystemClock());
        try (again;
                StreamReader reader = again.reader()) {
            RecordView view = new RecordView();
            long oldest = again.oldest(stream);
            assertThat(again.durable(stream)).isEqualTo(handles.size());
            assertThat(oldest).isGreaterThan(1);
            for (int i = 0; i < handles.size(); i++) {
                assertThat(reader.read(handles.get(i), view)).isEqualTo(i + 1 >= oldest);
                if (i + 1 >= oldest) {
                    assertThat(view.buffer().compareTo(Volumes.record(stream, i + 1, 3000)))
                            .isZero();
                }
            }
        }
    }
}
