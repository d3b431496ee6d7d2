package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class GroupKeyTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
    private final SeriesFlyweight series = new SeriesFlyweight();

    private SeriesFlyweight series(String metric, String... tags) {
        PointBytes point = new PointBytes(metric).field("f", 1L);
        for (int i = 0; i < tags.length; i += 2) {
            point.tag(tags[i], tags[i + 1]);
        }
        point.encode(new RecordEncoder(), buffer, 0, buffer.capacity());
        return series.wrap(buffer, BodyLayout.RESET_LENGTH);
    }

    private static SeriesKey keyOf(GroupKey group) {
        return RecordDecoder.key(group.buffer(), group.offset(), group.tagCount());
    }

    private static SeriesKey key(String metric, Map<String, String> tags) {
        return new SeriesKey(metric, Tags.of(tags));
    }

    @Test
    void takesAllTags() {
        GroupKey group = GroupKey.all();
        group.of(series("cpu", "host", "a", "zone", "b"));

        assertThat(keyOf(group)).isEqualTo(key("cpu", Map.of("host", "a", "zone", "b")));
        assertThat(group.hash()).isEqualTo(series.keyHash());
        assertThat(group.length()).isEqualTo(series.keyLength());
    }

    @Test
    void takesNamedTags() {
        GroupKey group = GroupKey.by(List.of("zone", "host", "absent"));
        group.of(series("cpu", "core", "1", "host", "a", "hostname", "x", "zone", "b"));

        assertThat(keyOf(group)).isEqualTo(key("cpu", Map.of("host", "a", "zone", "b")));
    }

    @Test
    void leavesNamedTagsOut() {
        GroupKey group = GroupKey.without(List.of("host"));
        group.of(series("cpu", "core", "1", "host", "a", "hostname", "x"));

        assertThat(keyOf(group)).isEqualTo(key("cpu", Map.of("core", "1", "hostname", "x")));
    }

    @Test
    void givesAPointThatLacksTheTagsItsMetric() {
        GroupKey group = GroupKey.by(List.of("host"));
        group.of(series("cpu", "zone", "b"));

        assertThat(keyOf(group)).isEqualTo(key("cpu", Map.of()));
        assertThat(group.tagCount()).isZero();
    }

    @Test
    void hashesEqualGroupsEquallyHoweverTheyAreChosen() {
        GroupKey by = GroupKey.by(List.of("host"));
        GroupKey without = GroupKey.without(List.of("core", "zone"));
        by.of(series("cpu", "core", "1", "host", "a"));
        long first = by.hash();
        without.of(series("cpu", "zone", "z", "host", "a"));

        assertThat(without.hash()).isEqualTo(first);
        assertThat(first).isEqualTo(series("cpu", "host", "a").keyHash());
        by.of(series("cpu", "core", "2", "host", "b"));
        assertThat(by.hash()).isNotEqualTo(first);
    }

    @Test
    void allocatesNothing() {
        GroupKey group = GroupKey.by(List.of("host", "zone"));
        series("cpu", "core", "1", "host", "server-01", "zone", "eu-central-1");

        assertThat(AllocatedBytes.of(() -> {
                    for (int i = 0; i < 100; i++) {
                        group.of(series);
                    }
                }))
                .isZero();
    }
}
