package io.chimera.archive.streamfs;

import io.chimera.common.agent.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A volume in memory with some records of one stream, to be opened with other bytes in it. */
final class WrittenVolume {
    private static final int RECORDS = 60;
    private static final int LENGTH = 900;

    /** One in so many records is acknowledged ahead of the next. */
    private static final int SYNC = 9;

    private final UnsafeBuffer bytes;
    private final List<RecordHandle> handles = new ArrayList<>();

    WrittenVolume() {
        MemoryDevice device = Volumes.device(20);
        StreamFs store = Volumes.open(device);
        int stream = store.open(Volumes.settings("a", 6));
        for (int i = 0; i < RECORDS; i++) {
            handles.add(Volumes.append(store, stream, LENGTH));
            if (i % SYNC == 0) {
                Volumes.sync(store, stream);
            }
        }
        store.close();
        bytes = device.memory();
    }

    /** As it was written. */
    UnsafeBuffer bytes() {
        return bytes;
    }

    /** The same, to be changed. */
    UnsafeBuffer copy() {
        UnsafeBuffer copy = PowerCutDevice.blank(bytes.capacity());
        copy.putBytes(0, bytes, 0, bytes.capacity());
        return copy;
    }

    /** Of its records, which are numbered from 1. */
    List<RecordHandle> handles() {
        return handles;
    }

    /** Opens a volume that has other bytes. */
    static StreamFs open(UnsafeBuffer changed) {
        PowerCutDevice device = new PowerCutDevice(new PowerCutDevice.Power(1), changed, Volumes.ALIGNMENT, 4);
        return StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock());
    }

    /** Whether what was read is what was appended as the record of that number. */
    static boolean isAppended(RecordView view, long number) {
        return view.buffer().compareTo(Volumes.record(0, number, LENGTH)) == 0;
    }
}
