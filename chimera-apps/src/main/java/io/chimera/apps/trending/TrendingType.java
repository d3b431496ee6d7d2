package io.chimera.apps.trending;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;

/**
 * {@code trending}: ranks what a tag says by how often it was seen of late. At the end of each cycle the first of a partition
 * leave as points {@code trending,tag=<tag> score=…,count=…}; who reads them takes the first of all partitions. When a partition knows as many tags as it may, what has another
 * tag is left out of the ranking, and a point {@code trending_left_out count=…} says how many.
 */
public final class TrendingType implements TransformType {
    /** For the ServiceLoader. */
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
    public Transform create(PluginContext context) {
        return new Trending(context.settings(TrendingSettings.class));
    }
}
