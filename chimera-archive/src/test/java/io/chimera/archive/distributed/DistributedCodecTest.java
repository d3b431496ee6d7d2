package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.key.PacketKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DistributedCodecTest {
    private final DistributedCodec codec = new DistributedCodec(PacketKeys.keys());

    private static Parcel parcel(List<SpanRange> empties) {
        return new Parcel(1, 60, 2, 3, 4, empties, List.of(5L, -6L), List.of());
    }

    @Test
    void rangesComeAsTheyWentFromTheFirstSpanThereIsToTheLast() throws DamagedRecordException {
        Parcel parcel = parcel(List.of(
                new SpanRange(Long.MIN_VALUE, -7),
                new SpanRange(3, 3),
                new SpanRange(28_000_000, 28_000_004),
                new SpanRange(29_000_000, Long.MAX_VALUE - 1)));
        assertThat(codec.parcel(codec.encode(parcel))).isEqualTo(parcel);
    }

    @Test
    void aGapTakesThreeBytes() {
        List<SpanRange> gaps = new ArrayList<>();
        for (long i = 0; i < SpanCatalog.EMPTIES_MAX; i++) {
            gaps.add(new SpanRange(28_000_000 + i * 90, 28_000_000 + i * 90 + 80));
        }
        int without = codec.encode(parcel(List.of())).length;
        assertThat(codec.encode(parcel(gaps)).length - without).isLessThanOrEqualTo(3 * gaps.size() + 8);
    }
}
