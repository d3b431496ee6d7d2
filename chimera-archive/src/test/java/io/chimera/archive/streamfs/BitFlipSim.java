package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Bits flip in labels, roots, maps, blocks: what comes out is right, or an error. */
final class BitFlipSim {
    private static final int RUNS = 400;

    private record Appended(RecordHandle handle, int stream, long number, int length) {}

    @Test
    void neverReturnsWrongData() {
        List<Appended> history = new ArrayList<>();
        MemoryDevice device = Volumes.device(64);
        StreamFs store = Volumes.open(device);
        Random random = new Random(11);
        for (int i = 0; i < 3; i++) {
            store.open(Volumes.settings("s" + i, 8));
        }
        for (int i = 0; i < 600; i++) {
            int stream = random.nextInt(3);
            int length = 1 + random.nextInt(5000);
            RecordHandle handle = Volumes.append(store, stream, length);
            history.add(new Appended(handle, stream, store.appended(stream), length));
            if (random.nextInt(20) == 0) {
                Volumes.sync(store, stream);
            }
        }
        store.close();
        int lost = 0;
        for (int run = 0; run < RUNS; run++) {
            UnsafeBuffer image = PowerCutDevice.blank(device.memory().capacity());
            image.putBytes(0, device.memory(), 0, image.capacity());
            // A quarter of the runs hits the head, where little is.
            int reach = run % 4 == 0 ? 32 << 10 : image.capacity();
            for (int i = 0; i <= run % 3; i++) {
                int at = random.nextInt(reach);
                image.putByte(at, (byte) (image.getByte(at) ^ 1 << random.nextInt(8)));
            }
            lost += check(image, history);
        }
        assertThat(lost).as("records that were damaged or could not be reached").isPositive();
    }

    private static int check(UnsafeBuffer image, List<Appended> history) {
        PowerCutDevice device = new PowerCutDevice(new PowerCutDevice.Power(1), image, Volumes.ALIGNMENT, 4);
        StreamFs store;
        try {
            store = StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock());
        } catch (ChimeraException e) {
            return 1;
        }
        int lost = 0;
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        for (Appended each : history) {
            try {
                if (reader.read(each.handle, view)) {
                    check(view, each.stream, each.number, each.length);
                }
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
                lost++;
            }
        }
        for (StreamStatus stream : store.streams()) {
            lost += walk(store, stream);
        }
        return lost;
    }

    private static int walk(StreamFs store, StreamStatus stream) {
        RecordView view = new RecordView();
        StreamCursor cursor = store.reader().cursor(stream.stream(), Long.MIN_VALUE);
        int lost = 0;
        long number = 0;
        while (number < stream.appended()) {
            try {
                if (!cursor.next(view)) {
                    return lost;
                }
                assertThat(view.number()).isGreaterThan(number);
                number = view.number();
                check(view, stream.stream(), number, view.buffer().capacity());
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
                lost++;
            }
        }
        return lost;
    }

    private static void check(RecordView view, int stream, long number, int length) {
        assertThat(view.stream()).isEqualTo(stream);
        assertThat(view.number()).isEqualTo(number);
        assertThat(view.buffer().compareTo(Volumes.record(stream, number, length)))
                .isZero();
    }
}
