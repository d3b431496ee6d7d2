package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.common.metrics.AllocatedBytes;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class AppendAllocationTest {
    private static final int APPENDS = 200;
    private static final int HANDLE_BYTES = 32;
    /**
     * Objects of a block, its run and the write completion: allocated once per 16 KiB here, once per MiB in production.
     */
    private static final int BLOCK_BYTES_MAX = 1024;

    @Test
    void allocatesTheHandleAndOncePerBlockALittle() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(Volumes.settings("a", 4));
        UnsafeBuffer record = Volumes.record(0, 1, 400);
        long perRound = 100;
        Runnable round = () -> {
            for (int i = 0; i < perRound; i++) {
                while (store.append(stream, i, record, 0, record.capacity()) == null) {
                    store.doWork();
                }
            }
            store.doWork();
        };

        long allocated = AllocatedBytes.of(round);

        long appends = APPENDS * perRound;
        long blocks = appends * RecordLayout.stride(record.capacity()) / Volumes.BLOCK_BYTES + 1;
        assertThat(allocated).isLessThanOrEqualTo(appends * HANDLE_BYTES + blocks * BLOCK_BYTES_MAX);
    }
}
