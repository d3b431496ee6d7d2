package io.chimera.dataset.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobMetersTest {
    private static final DataObject OBJECT = new DataObject("a", 1_000, new ObjectVersion("", Checksum.NONE));

    private final ManualClock clock = new ManualClock();

    /** A source whose reads take two seconds, and fail on request. */
    private final class SlowSource implements DataSource {
        private boolean fails;

        @Override
        public String place() {
            return "slow:source";
        }

        @Override
        public List<DataObject> list(String pattern) {
            return List.of(OBJECT);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            clock.advanceMs(2_000);
            if (fails) {
                throw new SourceException(SourceFault.BUSY, "busy");
            }
            into.position(into.limit());
        }

        @Override
        public void close() {}
    }

    @Test
    void countsCompleteAndFailedReadsAndTheirTime() throws SourceException {
        SlowSource slow = new SlowSource();
        MeteredSource source = new MeteredSource(slow, clock);
        source.read(OBJECT, 0, ByteBuffer.allocate(100));
        clock.advanceMs(5_000);
        slow.fails = true;
        assertThatThrownBy(() -> source.read(OBJECT, 100, ByteBuffer.allocate(100)))
                .isInstanceOf(SourceException.class);

        assertThat(source.totals()).isEqualTo(new MeteredSource.Totals("slow:source", 100, 1, 1, 4_000_000_000L));
    }

    /** Reading takes one second per read of 100 bytes; computation a quarter of a second after each. */
    @Test
    void separatesWaitingFromComputing() throws IOException {
        JobMeters meters = new JobMeters(clock);
        WorkerMeter worker = meters.newWorker();
        MemoryObject object = new MemoryObject("a", new byte[1_000]);
        ByteRange split = new ByteRange(200, 600);
        ObjectBytes slow = slow(object);

        ObjectBytes bytes = worker.begin(slow, split);
        for (int offset = 200; offset < 600; offset += 100) {
            bytes.read(offset, ByteBuffer.allocate(100));
            clock.advanceMs(250);
            assertThat(worker.totals().bytesOfSplit()).isEqualTo(offset - 100);
        }
        bytes.read(600, ByteBuffer.allocate(100));
        worker.end(split, 7);

        assertThat(worker.totals()).isEqualTo(new WorkerMeter.Totals(1, 400, 0, 7, 1_000_000_000L, 5_000_000_000L));
        assertThat(meters.sums().computed()).isEqualTo(400);
        assertThat(meters.measures().computed())
                .isEqualTo(new WorkMeasures.Computed(1, 400, 7, 1_000_000_000L, 5_000_000_000L));
        assertThat(meters.measures().plus(meters.measures()).computed().points())
                .isEqualTo(14);
    }

    @Test
    void anUnfinishedSplitDoesNotCountTwice() throws IOException {
        WorkerMeter worker = new JobMeters(clock).newWorker();
        MemoryObject object = new MemoryObject("a", new byte[1_000]);
        ByteRange split = new ByteRange(0, 500);
        worker.begin(object, split).read(0, ByteBuffer.allocate(300));
        worker.begin(object, split).read(0, ByteBuffer.allocate(500));
        worker.end(split, 1);

        assertThat(worker.totals().bytes()).isEqualTo(500);
    }

    private ObjectBytes slow(ObjectBytes bytes) {
        return new ObjectBytes() {
            @Override
            public String path() {
                return bytes.path();
            }

            @Override
            public long length() {
                return bytes.length();
            }

            @Override
            public int read(long offset, ByteBuffer into) throws IOException {
                clock.advanceMs(1_000);
                return bytes.read(offset, into);
            }
        };
    }
}
