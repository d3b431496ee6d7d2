package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Plans with too many splits. */
final class JobPlanTest {
    private static final TextFormat LINES = TextFormat.lines(
            TextOptions.DEFAULT,
            () -> {
                throw new IllegalStateException("a plan reads no events");
            },
            1);

    private static final JobSettings SETTINGS = new JobSettings(
            DefinitionDigest.of("d"),
            new Windows(1_000_000),
            10,
            1,
            JobSettings.BYTES_PER_WORKER_MIN,
            ReadAhead.Depth.DEFAULT);

    private static List<DataObject> objects(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new DataObject("o" + i + ".txt", 100, new ObjectVersion("1", Checksum.NONE)))
                .toList();
    }

    @Test
    void tooManySplitsEndThePlanningBeforeTheNextObjectIsOpened() throws IOException {
        List<String> opened = new ArrayList<>();
        JobPlan.Opener opener = object -> {
            opened.add(object.path());
            return new MemoryObject(object.path(), new byte[100]);
        };
        assertThat(JobPlan.make(SETTINGS, objects(10), LINES, opener, new SplitLimit(100, "use less"))
                        .splits())
                .hasSize(100);
        opened.clear();

        assertThatThrownBy(() ->
                        JobPlan.make(SETTINGS, objects(1_000), LINES, opener, new SplitLimit(99, "use a larger split")))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("1000 objects", "99 splits", "o9.txt", "larger split");
        assertThat(opened).hasSize(10);
    }
}
