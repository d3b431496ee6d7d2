package io.chimera.apps.trending;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;

/** Block contract for {@code trending}. */
final class TrendingTypeTest extends TransformContract {
    @Override
    protected TransformType type() {
        return new TrendingType();
    }

    @Override
    protected Record settings() {
        return new TrendingSettings(null, null, Duration.ofMinutes(1), 6, Duration.ofSeconds(20), 2, 2);
    }

    private static KitPoint seen(long second, String tag, long count) {
        return KitPoint.of("hashtag", second * 1_000_000_000L).tag("tag", tag).field("count", count);
    }

    @Override
    protected List<KitPoint> points() {
        return List.of(seen(100, "goal", 3), seen(101, "wm", 1), seen(105, "goal", 1), seen(120, "one", 7));
    }

    @Override
    protected List<Runnable> badSettings() {
        return List.of(
                () -> new TrendingSettings("", null, null, null, null, null, null),
                () -> new TrendingSettings(null, null, Duration.ofSeconds(1), 7, null, null, null),
                () -> new TrendingSettings(null, null, null, null, Duration.ZERO, null, null));
    }
}
