package io.chimera.common.plugin;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.Source;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.TransformType;
import io.chimera.common.composition.block.BuiltInBlocks;
import io.chimera.common.config.InputConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Kinds of plugin components: interface, display name, and reserved names of built-in components. */
public final class PluginKinds {
    private static final Map<Class<? extends Plugin>, String> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put(TransformType.class, "transform");
        WORDS.put(Aggregator.class, "aggregator");
        WORDS.put(ParserType.class, "parser");
        WORDS.put(Source.class, "source");
        WORDS.put(Store.class, "store");
    }

    private static final Set<String> INPUTS = Set.of(
            InputConfig.GRAPHITE,
            InputConfig.GRAPHITE_PICKLE,
            InputConfig.INFLUX,
            InputConfig.KAIROSDB,
            InputConfig.OPENTSDB,
            InputConfig.REMOTE_WRITE,
            InputConfig.STATSD,
            InputConfig.SYSLOG,
            InputConfig.TWEETS,
            InputConfig.CAPTURE,
            InputConfig.IPFIX);

    private static final Set<String> BLOCKS =
            BuiltInBlocks.all().stream().map(TransformType::name).collect(Collectors.toUnmodifiableSet());

    private PluginKinds() {}

    static List<Class<? extends Plugin>> all() {
        return List.copyOf(WORDS.keySet());
    }

    /** Returns the display name of a kind. */
    public static String word(Class<? extends Plugin> kind) {
        return WORDS.get(kind);
    }

    /** Reserved names of a kind. */
    public static Set<String> builtIn(Class<? extends Plugin> kind) {
        if (kind == Aggregator.class) {
            return Set.of("count", "max", "mean", "min", "sum", "variance");
        }
        if (kind == ParserType.class || kind == Source.class) {
            return INPUTS;
        }
        return kind == Store.class ? Set.of("kairosdb", "postgresql") : BLOCKS;
    }

    /** Returns whether two kinds share one namespace in the configuration. */
    static boolean share(Class<? extends Plugin> one, Class<? extends Plugin> other) {
        return one == other || (builtIn(one).equals(INPUTS) && builtIn(other).equals(INPUTS));
    }
}
