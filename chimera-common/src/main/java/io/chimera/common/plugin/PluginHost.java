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
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.binding.Settings;
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
 * Plugins of a node, ready for use. Components from a plugin folder run behind a fence; components on the class path
 * are part of the node. Any thread.
 */
public final class PluginHost implements AutoCloseable {
    private final PluginRegistry registry;
    private final PluginsConfig limits;
    private final ErrorHandler errors;
    private final Function<String, Counters<PluginCounter>> metrics;
    private final Watchdog watchdog;
    private final Map<Provided<?>, PluginGuard> fences = new ConcurrentHashMap<>();

    /**
     * Creates a host.
     *
     * @param registry available plugins
     * @param limits limits of plugin calls
     * @param clock clock for the call timeouts
     * @param errors handler of plugin failures
     * @param metrics returns the counters of a plugin component by name, at the first use of the component
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

    /** Creates a host of the plugins on the class path. */
    public static PluginHost ofClassPath() {
        return unfenced(PluginRegistry.ofClassPath());
    }

    /** Creates a host for inspection only: failures are not reported. */
    public static PluginHost unfenced(PluginRegistry registry) {
        return new PluginHost(
                registry,
                Sections.of(PluginsConfig.class),
                new SystemClock(),
                error -> {},
                component -> new Counters<>(PluginCounter.class));
    }

    /** Available plugins. */
    public PluginRegistry registry() {
        return registry;
    }

    /** Names of all components of a kind, built-in components included. */
    public SortedSet<String> names(Class<? extends Plugin> kind) {
        return registry.names(kind);
    }

    /** Creates an instance of an aggregate function; empty for an unknown name. */
    public Optional<Aggregator<?>> aggregator(String name) {
        Provided<?> found = registry.find(Aggregator.class, name).orElse(null);
        if (found == null) {
            return Optional.empty();
        }
        Aggregator<?> made = (Aggregator<?>) found.maker().get();
        return Optional.of(found.origin().isFolder() ? new FencedAggregator<>(fence(found), made) : made);
    }

    /** Block types, built-in types included. */
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

    /** Returns a factory for the parsers of a protocol; empty for an unknown name. */
    public Optional<Supplier<Parser>> parsers(String name, PluginContext context) {
        return registry.find(ParserType.class, name).map(found -> {
            ParserType type = found.maker().get();
            return found.origin().isFolder()
                    ? () -> new FencedParser(fence(found), type.create(context))
                    : () -> type.create(context);
        });
    }

    /**
     * Creates an unopened instance of a store; empty for an unknown name.
     *
     * @param timeout time limit of a call of a plugin store
     */
    public Optional<Store> store(String name, PluginContext context, Duration timeout) {
        return registry.find(Store.class, name)
                .map(found -> found.origin().isFolder()
                        ? FencedStore.of(fence(found), found.maker(), context, timeout)
                        : found.maker().get());
    }

    /** Returns a source plugin, not fenced: the runner of the source uses the fence. Empty for an unknown name. */
    public Optional<Provided<Source>> source(String name) {
        return registry.find(Source.class, name);
    }

    /** Returns the fence of a plugin component. */
    public PluginGuard fence(Provided<?> plugin) {
        return fences.computeIfAbsent(plugin, unseen -> {
            Counters<PluginCounter> counters = metrics.apply(unseen.origin().name() + "/" + unseen.name());
            return new PluginGuard(unseen, limits, counters, errors, watchdog);
        });
    }

    /** Current problems with plugins, one sentence each. */
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
     * Creates the context of a plugin component.
     *
     * @param kind kind of the component
     * @param type name of the component
     * @param instance name in the configuration
     * @param settings configured keys
     * @return empty for an unknown component
     * @throws io.chimera.common.config.binding.ConfigException for invalid keys
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
