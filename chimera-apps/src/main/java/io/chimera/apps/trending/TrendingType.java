package io.chimera.apps.trending;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;

/**
 * {@code trending}: ranks the values of a tag by their recent frequency. At the end of each cycle, the top tags of a
 * partition leave as points {@code trending,tag=<tag> score=…,count=…}; a reader merges the tops of all partitions.
 * When a partition is at its maximum number of tags, points with a new tag are excluded from the ranking, and a point
 * {@code trending_left_out count=…} reports their number.
 */
public final class TrendingType implements TransformType {
    /** Creates the type for the ServiceLoader. */
    public TrendingType() {}

    @Override
    public String name() {
        return "trending";
    }

    @Override
    public Class<? extends Record> settings() {
        return TrendingSettings.class;
    }

    @Override
    public Duration horizon(PluginContext context) {
        return context.settings(TrendingSettings.class).window();
    }

    @Override
    public BlockState state(PluginContext context) {
        return BlockState.BY_KEY;
    }

    @Override
    public Transform create(PluginContext context) {
        return new Trending(context.settings(TrendingSettings.class));
    }
}
