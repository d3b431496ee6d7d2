package io.chimera.processor.pipeline;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.row.RowNaming;
import io.chimera.common.wire.GroupKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A pipeline in the form run by the processor.
 *
 * @param ordinal index among the pipelines ordered by name; frames name the pipeline by this index
 * @param name name in the configuration
 * @param after composition; null when the pipeline aggregates its records directly
 * @param groupKey tags to group by; also decides the partition for a composition without keys. Staging's thread only,
 *     or its composer's
 * @param lateAfterNs maximum age of a point relative to its cycle before the point is late; 0 for no limit
 * @param functions functions computed for every field, in the order of the configuration
 * @param folding aggregator plugins among the functions, for staging's thread or its composer's
 * @param merging second instances of the same plugins, for the flusher's thread
 * @param stores destinations of the rows
 * @param isVerified whether rows are read back before the commit; then every store is a {@link VerifiableStore}
 * @param made configuration and plugin versions of the pipeline
 * @param plugins source of the plugins
 */
public record Pipeline(
        int ordinal,
        String name,
        ProcessorComposition after,
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
     * Configuration and plugin versions of a pipeline. Pipelines with equal values behave the same.
     *
     * @param config its configuration
     * @param plugins version and digest of each plugin from a folder used by the pipeline
     */
    record Made(PipelineConfig config, SortedMap<String, String> plugins) {}

    /** Creates the pipelines of the first configuration. */
    public static List<Pipeline> of(
            SortedMap<String, PipelineConfig> configs, Map<String, NamedStore> stores, PluginHost plugins) {
        return of(configs, stores, plugins, List.of());
    }

    /**
     * Creates the pipelines of a configuration.
     *
     * @param configs by name
     * @param stores by name
     * @param plugins source of functions that are not built in
     * @param held pipelines of other configurations; an equal held pipeline is reused with its composition, and so
     *     keeps its state
     * @return in the order of their names
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store, or wants to
     *     read rows back from a store without support for reading
     */
    public static List<Pipeline> of(
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
     * Single check of a pipeline.
     *
     * @param key full name of the checked key
     * @param run throws a {@link io.chimera.common.error.ChimeraException} when the pipeline cannot run
     */
    public record Check(String key, Runnable run) {}

    /**
     * Returns independent checks of a pipeline, so that each problem is reported.
     *
     * @param stores by name; without the stores that have a problem of their own
     */
    public static List<Check> checks(
            String name, PipelineConfig config, Map<String, NamedStore> stores, PluginHost plugins) {
        List<Check> checks = new ArrayList<>();
        String path = "pipelines." + name;
        boolean isVerified = config.delivery() == PipelineConfig.Delivery.EXACTLY_ONCE;
        Function.of(config.aggregate().functions()).stream()
                .filter(Function::isPlugin)
                .forEach(function -> checks.add(new Check(
                        path + ".aggregate.functions",
                        () -> AggregatorPlugins.create(name, List.of(function.name()), plugins))));
        config.stores().stream()
                .filter(stores::containsKey)
                .forEach(store -> checks.add(
                        new Check(path + ".stores", () -> NamedStore.find(stores, name, store, isVerified))));
        return checks;
    }

    /** Returns the naming of the rows of the pipeline. */
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
                config.after() == null ? null : ProcessorComposition.of(config.after(), host.blocks()),
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
