package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Bits flip in labels, roots, maps and blocks: reads return correct data or an error. After a single flip no held
 * record is missing without an error, and later records are kept.
 */
final class BitFlipSim {
    private static final int RUNS = 400;

    private record Appended(RecordHandle handle, int stream, long number, int length) {}

    @Test
    void neverReturnsWrongData() {
        List<Appended> history = new ArrayList<>();
        MemoryDevice device = Volumes.device(128);
        StreamFs store = Volumes.open(device);
        Random random = new Random(11);
        for (int i = 0; i < 3; i++) {
            store.open(Volumes.settings("s" + i, 28));
        }
        for (int i = 0; i < 400; i++) {
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
            // A quarter of the runs hits the small head.
            int reach = run % 4 == 0 ? 32 << 10 : image.capacity();
            for (int i = 0; i <= run % 3; i++) {
                int at = random.nextInt(reach);
                image.putByte(at, (byte) (image.getByte(at) ^ 1 << random.nextInt(8)));
            }
            lost += check(image, history, run % 3 == 0);
        }
        assertThat(lost).as("records that were damaged or could not be reached").isPositive();
    }

    private static int check(UnsafeBuffer image, List<Appended> history, boolean isOneFlip) {
        List<Appended> longer = new ArrayList<>(history);
        PowerCutDevice device = new PowerCutDevice(new PowerCutDevice.Power(1), image, Volumes.ALIGNMENT, 4);
        StreamFs store;
        try {
            store = StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock());
        } catch (ChimeraException e) {
            return 1;
        }
        int lost = check(store, longer, isOneFlip);
        for (StreamStatus stream : store.streams()) {
            for (int i = 0; i < 4; i++) {
                RecordHandle handle = Volumes.append(store, stream.stream(), 3000);
                longer.add(new Appended(handle, stream.stream(), store.appended(stream.stream()), 3000));
            }
        }
        store.close();
        UnsafeBuffer after = device.memory();
        PowerCutDevice again = new PowerCutDevice(new PowerCutDevice.Power(1), after, Volumes.ALIGNMENT, 4);
        return lost
                + check(StreamFs.open(List.of(again), VolumeSettings.DEFAULT, new ManualClock()), longer, isOneFlip);
    }

    private static int check(StreamFs store, List<Appended> history, boolean isOneFlip) {
        int lost = 0;
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        for (Appended each : history) {
            try {
                if (reader.read(each.handle, view)) {
                    check(view, each.stream, each.number, each.length);
                } else {
                    assertThat(isOneFlip).as("gone: %s", each).isFalse();
                }
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
                lost++;
            }
        }
        for (StreamStatus stream : store.streams()) {
            lost += walk(store, stream, isOneFlip);
        }
        return lost;
    }

    private static int walk(StreamFs store, StreamStatus stream, boolean isOneFlip) {
        RecordView view = new RecordView();
        StreamCursor cursor = store.reader().cursor(stream.stream(), Long.MIN_VALUE);
        int lost = 0;
        long number = 0;
        boolean isGapTold = false;
        while (number < stream.appended()) {
            try {
                if (!cursor.next(view)) {
                    assertThat(isGapTold || !isOneFlip)
                            .as("end behind %d", number)
                            .isTrue();
                    return lost;
                }
                assertThat(view.number()).isGreaterThan(number);
                assertThat(view.number() == number + 1 || isGapTold || !isOneFlip)
                        .as("gap behind %d", number)
                        .isTrue();
                isGapTold = false;
                number = view.number();
                check(view, stream.stream(), number, view.buffer().capacity());
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
                lost++;
                isGapTold = true;
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
