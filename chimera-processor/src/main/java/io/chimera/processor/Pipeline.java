package io.chimera.processor;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.config.AggregateConfig;
import io.chimera.common.config.PipelineConfig;
import io.chimera.common.config.RowsConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.row.RowNaming;
import io.chimera.common.wire.GroupKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A pipeline as the processor runs it.
 *
 * @param ordinal its place among the pipelines ordered by name; frames name it so
 * @param name its name in the configuration
 * @param after its composition, or null when it aggregates what comes
 * @param groupKey what it groups by, and with a composition that has no keys what decides the partition; staging's thread only, or its composer's
 * @param lateAfterNs a point further than this before its cycle is late; 0 for never
 * @param functions what is computed of every field, in the order of the configuration
 * @param folding aggregator plugins among the functions, for staging's thread or its composer's
 * @param merging the same plugins once more, for the flusher's thread
 * @param stores where the rows go
 * @param isVerified whether rows are read back before the commit; then every store is a {@link VerifiableStore}
 * @param made what it was made of
 * @param plugins where its plugins come from
 */
public record Pipeline(
        int ordinal,
        String name,
        After after,
        GroupKey groupKey,
        long lateAfterNs,
        List<Function> functions,
        List<Aggregator<?>> folding,
        List<Aggregator<?>> merging,
        List<NamedStore> stores,
        boolean isVerified,
        Made made,
        PluginHost plugins) {
    /**
     * What a pipeline is made of: two of the same do the same.
     *
     * @param config its configuration
     * @param plugins edition of each plugin from a folder that it computes with
     */
    record Made(PipelineConfig config, SortedMap<String, String> plugins) {}

    /** The pipelines of a configuration, when there are none yet; see the other one. */
    public static List<Pipeline> of(
            SortedMap<String, PipelineConfig> configs, Map<String, NamedStore> stores, PluginHost plugins) {
        return of(configs, stores, plugins, List.of());
    }

    /**
     * The pipelines of a configuration.
     *
     * @param configs by name
     * @param stores by name
     * @param plugins where functions that are not built in are found
     * @param held pipelines of other configurations: one that is the same as one of these is that one, with its composition, and
     *     so keeps its state
     * @return in the order of their names
     * @throws io.chimera.common.error.ChimeraException when one names a function or a store that there is not, or wants to
     *     read rows back from a store that cannot
     */
    static List<Pipeline> of(
            SortedMap<String, PipelineConfig> configs,
            Map<String, NamedStore> stores,
            PluginHost plugins,
            List<List<Pipeline>> held) {
        List<Pipeline> pipelines = new ArrayList<>();
        configs.forEach((name, config) -> {
            int ordinal = pipelines.size();
            Made made = new Made(config, plugins.registry().used(config));
            pipelines.add(held.stream()
                    .flatMap(List::stream)
                    .filter(known -> known.name.equals(name) && known.made.equals(made))
                    .findFirst()
                    .map(known -> known.at(ordinal))
                    .orElseGet(() -> of(ordinal, name, made, stores, plugins)));
        });
        return List.copyOf(pipelines);
    }

    /**
     * Checks of one pipeline that know nothing of each other, so that each problem shows.
     *
     * @param stores by name; without the stores that have a problem of their own
     * @return each throws a {@link io.chimera.common.error.ChimeraException} where the pipeline cannot run
     */
    public static List<Runnable> checks(
            String name, PipelineConfig config, Map<String, NamedStore> stores, PluginHost plugins) {
        List<Runnable> checks = new ArrayList<>();
        boolean isVerified = config.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE;
        Function.of(config.aggregate().functions()).stream()
                .filter(Function::isPlugin)
                .forEach(function ->
                        checks.add(() -> AggregatorPlugins.create(name, List.of(function.name()), plugins)));
        config.stores().stream()
                .filter(stores::containsKey)
                .forEach(store -> checks.add(() -> NamedStore.find(stores, name, store, isVerified)));
        return checks;
    }

    /** Names its rows. */
    public RowNaming naming() {
        RowsConfig rows = made.config().rows();
        return new RowNaming(name, rows.prefix(), rows.tags());
    }

    private Pipeline at(int place) {
        return new Pipeline(
                place,
                name,
                after,
                groupKey,
                lateAfterNs,
                functions,
                folding,
                merging,
                stores,
                isVerified,
                made,
                plugins);
    }

    private static Pipeline of(int ordinal, String name, Made made, Map<String, NamedStore> stores, PluginHost host) {
        PipelineConfig config = made.config();
        AggregateConfig aggregate = config.aggregate();
        List<Function> functions = Function.of(aggregate.functions());
        List<String> plugins = functions.stream()
                .filter(Function::isPlugin)
                .map(Function::name)
                .toList();
        boolean isVerified = config.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE;
        return new Pipeline(
                ordinal,
                name,
                config.after() == null ? null : After.of(config.after(), host.blocks()),
                GroupKey.of(aggregate.by(), aggregate.without()),
                aggregate.lateAfter().toNanos(),
                functions,
                AggregatorPlugins.create(name, plugins, host),
                AggregatorPlugins.create(name, plugins, host),
                config.stores().stream()
                        .map(store -> NamedStore.find(stores, name, store, isVerified))
                        .toList(),
                isVerified,
                made,
                host);
    }
}
