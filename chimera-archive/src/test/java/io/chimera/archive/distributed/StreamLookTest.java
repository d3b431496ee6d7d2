package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.agent.ManualClock;
import org.junit.jupiter.api.Test;

final class StreamLookTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimStream stream = new SimStream("slow", new MemoryStreamStore(), new ManualClock());
    private final SpanCatalog catalog = new SpanCatalog();
    private final StreamLook look = new StreamLook(stream.open(), new Spans(SimNode.SPAN_NS));

    private void archive(long seconds, long nowNs) {
        stream.archive(1, new long[] {seconds * SECOND});
        look.look(catalog, nowNs);
    }

    @Test
    void whatAGroupWasOverBeforeIsNotNewWhenItGrows() {
        catalog.settled(10);
        archive(10 * 60 + 50, 0);
        assertThat(catalog.isQuiet(10, 15)).as("it came for a settled span").isFalse();
        archive(11 * 60 + 5, 20);
        assertThat(look.open()).isEqualTo(new SpanRange(10, 11));
        assertThat(catalog.isQuiet(20, 15)).as("it came for the newest span").isTrue();

        archive(10 * 60 + 55, 30);
        archive(9 * 60 + 59, 30);
        assertThat(catalog.isQuiet(30, 15)).as("a group of an earlier span").isFalse();
        assertThat(catalog.empties(12)).containsExactly(new SpanRange(Long.MIN_VALUE, 8), new SpanRange(12, 12));
    }
}
