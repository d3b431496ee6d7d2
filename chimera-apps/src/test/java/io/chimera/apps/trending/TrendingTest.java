package io.chimera.apps.trending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TrendingTest {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final WordsOutlet out = new WordsOutlet();
    private final Trending trending = new Trending(settings(2, 1_000));

    /** Settings with ten slots of a minute and a half-life of a minute. */
    private static TrendingSettings settings(int top, int tags) {
        return new TrendingSettings(null, null, Duration.ofMinutes(10), 10, Duration.ofMinutes(1), top, tags);
    }

    private List<String> cycle(Trending block, long minute, TagPoint... points) {
        for (TagPoint point : points) {
            block.apply(point, out);
        }
        assertThat(out.taken()).isEmpty();
        block.endCycle(minute * MINUTE_NS, out);
        return out.taken();
    }

    @Test
    void tellsTheFirstAtTheEndOfACycle() {
        assertThat(cycle(trending, 5, TagPoint.seen("a", 1), TagPoint.seen("b", 3), TagPoint.seen("c", 2)))
                .containsExactly("trending,tag=b score=3.0 count=3i", "trending,tag=c score=2.0 count=2i");
    }

    @Test
    void countsHalfWhatIsOneHalfLifeOlder() {
        cycle(trending, 5, TagPoint.seen("a", 8));

        assertThat(cycle(trending, 6, TagPoint.seen("b", 5)))
                .containsExactly("trending,tag=b score=5.0 count=5i", "trending,tag=a score=4.0 count=8i");
        assertThat(cycle(trending, 8))
                .containsExactly("trending,tag=b score=1.25 count=5i", "trending,tag=a score=1.0 count=8i");
    }

    @Test
    void forgetsWhatTheWindowHasLeft() {
        cycle(trending, 5, TagPoint.seen("a", 1_024));

        assertThat(cycle(trending, 14)).containsExactly("trending,tag=a score=2.0 count=1024i");
        assertThat(cycle(trending, 15)).isEmpty();
    }

    @Test
    void equalScoresAreInTheOrderOfTheTags() {
        assertThat(cycle(trending, 1, TagPoint.seen("z", 1), TagPoint.seen("b", 1), TagPoint.seen("a", 1)))
                .containsExactly("trending,tag=a score=1.0 count=1i", "trending,tag=b score=1.0 count=1i");
    }

    @Test
    void aPointWithoutTheFieldCountsOnceAndOneWithoutTheTagNotAtAll() {
        assertThat(cycle(trending, 1, new TagPoint("tag", "a", "other", 9), new TagPoint("host", "h", "count", 9)))
                .containsExactly("trending,tag=a score=1.0 count=1i");
    }

    @Test
    void saysWhatThereWasNoRoomFor() {
        Trending small = new Trending(settings(1, 1));

        assertThat(cycle(small, 1, TagPoint.seen("a", 1), TagPoint.seen("b", 1), TagPoint.seen("c", 5)))
                .containsExactly("trending,tag=a score=1.0 count=1i", "trending_left_out count=2i");
        assertThat(cycle(small, 20)).isEmpty();
        assertThat(cycle(small, 21, TagPoint.seen("b", 1))).containsExactly("trending,tag=b score=1.0 count=1i");
    }

    @Test
    void whoeverSawTheWindowComesToTheSameScores() {
        TransformType type = new TrendingType();
        PluginContext context = new PluginContext("trending", Map.of(), settings(50, 1_000));
        long horizonNs = type.horizon(context).toNanos();
        long cycleNs = 7_000_000_000L;
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<List<TagPoint>> cycles = new ArrayList<>();
            for (int cycle = 0; cycle < 200; cycle++) {
                List<TagPoint> points = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    points.add(TagPoint.seen("t" + random.nextInt(30), 1 + random.nextInt(5)));
                }
                cycles.add(points);
            }
            Transform undisturbed = type.create(context);
            run(undisturbed, cycles, 0, 200, cycleNs);
            int first = 200 - (int) (horizonNs / cycleNs) - 1;
            out.taken();
            Transform other = type.create(context);
            run(other, cycles, first, 200, cycleNs);
            out.taken();
            undisturbed.endCycle(200 * cycleNs, out);
            List<String> wanted = out.taken();
            other.endCycle(200 * cycleNs, out);
            assertThat(out.taken()).as("seed %d", seed).isEqualTo(wanted).isNotEmpty();
        }
    }

    private void run(Transform block, List<List<TagPoint>> cycles, int from, int to, long cycleNs) {
        for (int cycle = from; cycle < to; cycle++) {
            cycles.get(cycle).forEach(point -> block.apply(point, out));
            block.endCycle(cycle * cycleNs, out);
        }
    }

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(TransformType.class))
                .extracting(TransformType::name)
                .contains("trending");
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> new TrendingSettings(null, null, Duration.ofMillis(7), 2, null, null, null))
                .hasMessageContaining("slots");
        assertThatThrownBy(() -> new TrendingSettings(null, null, null, null, Duration.ZERO, null, null))
                .hasMessageContaining("half_life");
        assertThatThrownBy(() -> new TrendingSettings(null, null, null, null, null, 10, 5))
                .hasMessageContaining("tags");
        assertThat(new TrendingSettings(null, null, null, null, null, null, null).window())
                .isEqualTo(Duration.ofMinutes(10));
    }
}
