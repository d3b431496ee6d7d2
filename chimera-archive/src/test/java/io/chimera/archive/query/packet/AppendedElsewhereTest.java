package io.chimera.archive.query.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Two threads hand over records: each record is appended once, with its own handle. */
final class AppendedElsewhereTest {
    private static final int RECORDS = 300_000;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final AppendedElsewhere elsewhere = new AppendedElsewhere(store);
    private final RecordHandle[] handles = new RecordHandle[RECORDS];

    @Test
    void everyRecordIsAppendedOnceAndHasItsOwnHandle() {
        int stream = store.open(new StreamSettings("index", "index", 0));
        CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> append(stream));
        while (!beside.isDone()) {
            elsewhere.take();
        }
        beside.join();
        elsewhere.take();
        assertThat(store.appended(stream)).isEqualTo(RECORDS);
        RecordView view = new RecordView();
        try (StreamReader reader = store.reader()) {
            StreamCursor cursor = reader.cursor(stream, Long.MIN_VALUE);
            for (int i = 0; i < RECORDS; i++) {
                assertThat(cursor.next(view)).isTrue();
                assertThat(view.buffer().getInt(0)).isEqualTo(i);
                assertThat(view.handle()).isEqualTo(handles[i]);
            }
        }
    }

    private void append(int stream) {
        UnsafeBuffer record = new UnsafeBuffer(new byte[Integer.BYTES]);
        for (int i = 0; i < RECORDS; i++) {
            record.putInt(0, i);
            do {
                handles[i] = elsewhere.append(stream, i, record, 0, Integer.BYTES);
            } while (handles[i] == null);
        }
    }
}
