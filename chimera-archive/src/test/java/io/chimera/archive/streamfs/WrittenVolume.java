package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.common.agent.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Volume in memory with some records of one stream, for openings with changed bytes. */
final class WrittenVolume {
    private static final int RECORDS = 60;
    private static final int LENGTH = 900;

    /** Every ninth record is acknowledged before the next append. */
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

    UnsafeBuffer bytes() {
        return bytes;
    }

    UnsafeBuffer copy() {
        UnsafeBuffer copy = PowerCutDevice.blank(bytes.capacity());
        copy.putBytes(0, bytes, 0, bytes.capacity());
        return copy;
    }

    /** Returns the handles of the records, which are numbered from 1. */
    List<RecordHandle> handles() {
        return handles;
    }

    /** Opens a volume with changed bytes. */
    static StreamFs open(UnsafeBuffer changed) {
        PowerCutDevice device = new PowerCutDevice(new PowerCutDevice.Power(1), changed, Volumes.ALIGNMENT, 4);
        return StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock());
    }

    static boolean isAppended(RecordView view, long number) {
        return view.buffer().compareTo(Volumes.record(0, number, LENGTH)) == 0;
    }
}
