package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.Volumes.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.streamfs.PowerCutDevice.Fault;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DeviceFaultTest {
    private final PowerCutDevice.Power power = new PowerCutDevice.Power(1);
    private final PowerCutDevice device =
            new PowerCutDevice(power, Volumes.device(64).memory(), Volumes.ALIGNMENT, 4);
    private final ManualClock clock = new ManualClock();

    private StreamFs open(PowerCutDevice on) {
        return StreamFs.open(List.of(on), VolumeSettings.DEFAULT, clock);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_ERROR", "SHORT_WRITE", "FLUSH_ERROR", "GONE"})
    void stopsAtTheFirstFailureAndSaysWhatIsDurable(Fault fault) {
        StreamFs store = open(device);
        int stream = store.open(settings("a", 0));
        for (int i = 0; i < 20; i++) {
            Volumes.append(store, stream, 1000);
        }
        Volumes.sync(store, stream);
        device.fail(fault, 1);
        Volumes.append(store, stream, 1000);

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        Volumes.append(store, stream, 1000);
                        store.sync();
                        store.doWork();
                    }
                })
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("failed")
                .hasMessageContaining("Durable: a up to record " + store.durable(stream));
        assertThatThrownBy(store::doWork).isInstanceOf(ChimeraException.class);
        assertThatThrownBy(store::sync).isInstanceOf(ChimeraException.class);
        assertThat(store.status().failure()).contains("accepts no more records");
        long durable = store.durable(stream);
        assertThat(durable).isGreaterThanOrEqualTo(20);
        store.close();

        PowerCutDevice again = new PowerCutDevice(power, device.cut(power.now(), new Random(1)), Volumes.ALIGNMENT, 4);
        assertThat(open(again).durable(stream)).isGreaterThanOrEqualTo(durable);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ_ERROR", "SHORT_READ", "GONE"})
    void tellsAReaderThatTheDeviceDoesNotAnswer(Fault fault) {
        StreamFs store = open(device);
        int stream = store.open(settings("a", 0));
        RecordHandle handle = Volumes.append(store, stream, store.recordLengthMax());
        RecordHandle notReadYet = Volumes.append(store, stream, store.recordLengthMax());
        Volumes.append(store, stream, store.recordLengthMax());
        Volumes.sync(store, stream);
        StreamReader reader = store.reader();
        RecordView view = new RecordView();
        assertThat(reader.read(handle, view)).isTrue();

        device.fail(fault, 0);

        assertThatThrownBy(() -> reader.read(notReadYet, view))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> reader.cursor(stream, 0).next(view)).hasMessageContaining("cannot be read");
        device.fail(Fault.NONE, 0);
        assertThat(reader.read(notReadYet, view)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ_ERROR", "SHORT_READ", "GONE", "WRITE_ERROR", "FLUSH_ERROR"})
    void doesNotOpenAVolumeThatItCannotReadOrRepair(Fault fault) {
        StreamFs store = open(device);
        int stream = store.open(settings("a", 0));
        for (int i = 0; i < 100; i++) {
            Volumes.append(store, stream, 1000);
        }
        store.close();
        UnsafeBuffer image = device.memory();
        for (int after = 0; after < 2; after++) {
            PowerCutDevice again = new PowerCutDevice(power, image, Volumes.ALIGNMENT, 4);
            again.fail(fault, after);
            assertThatThrownBy(() -> open(again)).isInstanceOf(ChimeraException.class);
        }

        assertThat(open(new PowerCutDevice(power, image, Volumes.ALIGNMENT, 4)).durable(stream))
                .isEqualTo(100);
    }

    @Test
    void doesNotOpenADeviceThatHasShrunk() {
        UnsafeBuffer image = device.memory();
        UnsafeBuffer smaller = PowerCutDevice.blank(image.capacity() - 8 * Volumes.BLOCK_BYTES);
        smaller.putBytes(0, image, 0, smaller.capacity());

        assertThatThrownBy(() -> open(new PowerCutDevice(power, smaller, Volumes.ALIGNMENT, 4)))
                .hasMessageContaining("shrunk");
    }

    @Test
    void doesNotOpenWhatIsNoVolume() {
        assertThatThrownBy(() -> open(new PowerCutDevice(power, PowerCutDevice.blank(1 << 20), Volumes.ALIGNMENT, 4)))
                .hasMessageContaining("no label");
    }
}
