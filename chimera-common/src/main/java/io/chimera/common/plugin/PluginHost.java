package io.chimera.common.plugin;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.TransformType;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.composition.InstalledTypes;
import io.chimera.common.composition.TransformTypes;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.Settings;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;

/**
 * The plugins of a node, ready to be used: what comes from a folder stands behind a fence, what is on the class path is a part of
 * the node. Any thread.
 */
public final class PluginHost implements AutoCloseable {
    private final PluginRegistry registry;
    private final PluginsConfig limits;
    private final ErrorHandler errors;
    private final Function<String, Counters<PluginCounter>> metrics;
    private final Watchdog watchdog;
    private final Map<Provided<?>, Fence> fences = new ConcurrentHashMap<>();

    /**
     * A host.
     *
     * @param registry what there is
     * @param limits what plugins may cost
     * @param clock times their calls
     * @param errors hears of what fails
     * @param metrics gives the counters of a plugin by the component they belong to, when it is used first
     */
    public PluginHost(
            PluginRegistry registry,
            PluginsConfig limits,
            Clock clock,
            ErrorHandler errors,
            Function<String, Counters<PluginCounter>> metrics) {
        this.registry = registry;
        this.limits = limits;
        this.errors = errors;
        this.metrics = metrics;
        watchdog = new Watchdog(clock, limits.callTimeout().toNanos());
    }

    /** The plugins of the class path alone. */
    public static PluginHost ofClassPath() {
        return unfenced(PluginRegistry.ofClassPath());
    }

    /** Plugins to be looked at and not to be run: nobody hears of what fails. */
    public static PluginHost unfenced(PluginRegistry registry) {
        return new PluginHost(
                registry,
                new PluginsConfig(null, null, null),
                new SystemClock(),
                error -> {},
                component -> new Counters<>(PluginCounter.class));
    }

    /** What there is. */
    public PluginRegistry registry() {
        return registry;
    }

    /** The names of a kind, those that are built in included. */
    public SortedSet<String> names(Class<? extends Plugin> kind) {
        return registry.names(kind);
    }

    /** A new instance of a function; empty when there is no plugin of the name. */
    public Optional<Aggregator<?>> aggregator(String name) {
        Provided<?> found = registry.find(Aggregator.class, name).orElse(null);
        if (found == null) {
            return Optional.empty();
        }
        Aggregator<?> made = (Aggregator<?>) found.maker().get();
        return Optional.of(found.origin().isFolder() ? new FencedAggregator<>(fence(found), made) : made);
    }

    /** The types of blocks, those that are built in included. */
    public TransformTypes blocks() {
        return new InstalledTypes(registry.provided().stream()
                .filter(found -> found.kind() == TransformType.class)
                .map(found -> transform(found.name()).orElseThrow())
                .toList());
    }

    private Optional<TransformType> transform(String name) {
        return registry.find(TransformType.class, name).map(found -> {
            TransformType made = found.maker().get();
            return found.origin().isFolder() ? new FencedTransform.Type(fence(found), made) : made;
        });
    }

    /** Makes parsers of a protocol; empty when there is no plugin of the name. */
    public Optional<Supplier<Parser>> parsers(String name, PluginContext context) {
        return registry.find(ParserType.class, name).map(found -> {
            ParserType type = found.maker().get();
            return found.origin().isFolder()
                    ? () -> new FencedParser(fence(found), type.create(context))
                    : () -> type.create(context);
        });
    }

    /**
     * A new instance of a store, not opened yet; empty when there is no plugin of the name.
     *
     * @param timeout a call of a plugin that takes longer has failed
     */
    public Optional<Store> store(String name, PluginContext context, Duration timeout) {
        return registry.find(Store.class, name)
                .map(found -> found.origin().isFolder()
                        ? FencedStore.of(fence(found), found.maker(), context, timeout)
                        : found.maker().get());
    }

    /** A source, which whoever runs it calls behind its fence; empty when there is no plugin of the name. */
    public Optional<Provided<Source>> source(String name) {
        return registry.find(Source.class, name);
    }

    /** The fence of a plugin. */
    public Fence fence(Provided<?> plugin) {
        return fences.computeIfAbsent(plugin, unseen -> {
            Counters<PluginCounter> counters = metrics.apply(unseen.origin().name() + "/" + unseen.name());
            return new Fence(unseen, limits, counters, errors, watchdog);
        });
    }

    /** What is wrong with plugins now, one sentence each. */
    public List<String> troubles() {
        List<String> troubles = new ArrayList<>();
        fences.values().forEach(fence -> {
            String trouble = fence.trouble();
            if (trouble != null) {
                troubles.add(trouble);
            }
        });
        return troubles;
    }

    /**
     * What a plugin is given when it is opened.
     *
     * @param kind what it is
     * @param type its name
     * @param instance name in the configuration
     * @param settings its keys there
     * @return empty when there is no plugin of the name
     * @throws io.chimera.common.config.ConfigException when something is wrong with the keys
     */
    public Optional<PluginContext> context(
            Class<? extends Plugin> kind, String type, String instance, Settings settings) {
        return registry.find(kind, type)
                .map(found -> new PluginContext(instance, settings.asMap(), settings.bind(found.settings())));
    }

    @Override
    public void close() {
        watchdog.close();
    }
}
