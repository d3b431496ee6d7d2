package io.chimera.common.plugin;

import io.chimera.api.spi.Aggregator;
import io.chimera.api.spi.Plugin;
import io.chimera.api.spi.TransformType;
import io.chimera.common.config.pipeline.CompositionConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All plugins of a node by kind and name: plugins in folders, each with its own class loader, and plugins on the class
 * path, which are part of the node. Immutable; any thread.
 */
public final class PluginRegistry {
    private static final String NAME_FORM = "[a-z0-9_]{1,64}";

    private final List<PluginOrigin> folders = new ArrayList<>();
    private final List<Provided<?>> provided = new ArrayList<>();

    private PluginRegistry() {}

    /**
     * Loads all plugins.
     *
     * @param folder parent folder of the plugin folders; need not exist
     * @param classPath class loader of the API and of the plugins on the class path
     * @throws ChimeraException if a plugin cannot be loaded or two names collide; the message names the plugins and
     *     their places
     */
    public static PluginRegistry load(Path folder, ClassLoader classPath) {
        PluginRegistry registry = ofClassPath(classPath);
        for (PluginFolder plugin : PluginFolder.in(folder)) {
            registry.add(plugin, classPath);
        }
        return registry;
    }

    private void add(PluginFolder plugin, ClassLoader classPath) {
        folders.add(plugin.origin());
        int before = provided.size();
        addAll(new PluginClassLoader(plugin, classPath), plugin.origin());
        if (provided.size() == before) {
            throw refused("The " + plugin.origin() + " provides nothing: none of its "
                    + plugin.jars().size() + " JARs has a file META-INF/services/io.chimera.api.spi.<interface>."
                    + " Add this file, or remove the folder.");
        }
    }

    /** Loads the plugins on the class path. */
    public static PluginRegistry ofClassPath() {
        return ofClassPath(PluginRegistry.class.getClassLoader());
    }

    /** Creates a registry of the class path and additional block types, for programs with embedded nodes. */
    public static PluginRegistry with(List<? extends TransformType> blocks) {
        PluginRegistry registry = ofClassPath();
        for (TransformType block : blocks) {
            registry.provided.add(new Provided<>(
                    TransformType.class, block.name(), block.settings(), originOf(block.getClass()), () -> block));
        }
        return registry;
    }

    private static PluginRegistry ofClassPath(ClassLoader classPath) {
        PluginRegistry registry = new PluginRegistry();
        registry.addAll(classPath, null);
        return registry;
    }

    private void addAll(ClassLoader loader, PluginOrigin origin) {
        for (Class<? extends Plugin> kind : PluginKinds.all()) {
            addAll(loader, kind, origin);
        }
    }

    private <P extends Plugin> void addAll(ClassLoader loader, Class<P> kind, PluginOrigin origin) {
        try {
            for (ServiceLoader.Provider<P> provider :
                    ServiceLoader.load(kind, loader).stream().toList()) {
                PluginOrigin from = origin == null ? originOf(provider.type()) : origin;
                add(kind, provider, from);
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            if (e instanceof ChimeraException typed) {
                throw typed;
            }
            String where = origin == null ? "A plugin on the class path" : "The " + origin;
            throw new ChimeraException(
                    Category.FATAL,
                    where + " cannot be loaded as " + PluginKinds.word(kind) + ": " + e
                            + (e.getCause() == null ? "" : ", because of " + e.getCause())
                            + ". Correct or remove the plugin.",
                    e);
        }
    }

    private <P extends Plugin> void add(Class<P> kind, ServiceLoader.Provider<P> provider, PluginOrigin origin) {
        P first = provider.get();
        String name = first.name();
        if (name == null || name.isEmpty()) {
            return; // a store without a name cannot be configured
        }
        Provided<P> found = new Provided<>(kind, name, first.settings(), origin, provider);
        if (!name.matches(NAME_FORM)) {
            throw refused("The name of the " + found
                    + " is invalid; use up to 64 lower-case letters, digits and underscores.");
        }
        if (PluginKinds.builtIn(kind).contains(name)) {
            throw refused("The " + found + " has the name of a built-in one. Rename it, or remove the plugin.");
        }
        for (Provided<?> other : provided) {
            if (other.name().equals(name) && PluginKinds.share(kind, other.kind())) {
                throw refused("The " + found + " and the " + other + " have the same name. Remove one of them.");
            }
        }
        provided.add(found);
    }

    private static PluginOrigin originOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        String place = source == null || source.getLocation() == null
                ? "class path"
                : Path.of(source.getLocation().getPath()).toString();
        String version = type.getPackage().getImplementationVersion();
        Path file = Path.of(place).getFileName();
        return new PluginOrigin(String.valueOf(file), version == null ? "" : version, place, "");
    }

    private static ChimeraException refused(String message) {
        return new ChimeraException(Category.FATAL, message);
    }

    /** Finds a plugin component by kind and name. */
    @SuppressWarnings("unchecked") // a component is an instance of its kind
    public <P extends Plugin> Optional<Provided<P>> find(Class<P> kind, String name) {
        return provided.stream()
                .filter(found -> found.kind() == kind && found.name().equals(name))
                .map(found -> (Provided<P>) found)
                .findFirst();
    }

    /**
     * Plugins from folders used by the aggregation and the compositions of a pipeline, stores excluded: edition by
     * folder name.
     */
    public SortedMap<String, String> used(PipelineConfig pipeline) {
        SortedMap<String, String> used = new TreeMap<>();
        pipeline.aggregate().functions().forEach(name -> addUsed(used, Aggregator.class, name));
        for (CompositionConfig composition : Arrays.asList(pipeline.before(), pipeline.after())) {
            if (composition != null) {
                composition.blocks().values().forEach(block -> addUsed(used, TransformType.class, block.type()));
            }
        }
        return used;
    }

    private void addUsed(SortedMap<String, String> used, Class<? extends Plugin> kind, String name) {
        find(kind, name)
                .filter(found -> found.origin().isFolder())
                .ifPresent(
                        found -> used.put(found.origin().name(), found.origin().edition()));
    }

    /** Names of all components of a kind, built-in components included. */
    public SortedSet<String> names(Class<? extends Plugin> kind) {
        SortedSet<String> names = new TreeSet<>(PluginKinds.builtIn(kind));
        provided.stream().filter(found -> found.kind() == kind).forEach(found -> names.add(found.name()));
        return names;
    }

    /** All plugin components. */
    public List<Provided<?>> provided() {
        return List.copyOf(provided);
    }

    /**
     * Compares the folder with the loaded plugins; returns one sentence per changed plugin.
     *
     * @param folder the loaded folder
     */
    public List<String> changes(Path folder) {
        Map<String, PluginOrigin> now = new HashMap<>();
        PluginFolder.in(folder).forEach(plugin -> now.put(plugin.origin().name(), plugin.origin()));
        List<String> changes = new ArrayList<>();
        for (PluginOrigin loaded : folders) {
            PluginOrigin newer = now.remove(loaded.name());
            if (newer == null) {
                changes.add("The " + loaded + " was removed.");
            } else if (!newer.digest().equals(loaded.digest())) {
                changes.add("The " + newer + " was changed from " + loaded.edition() + " to " + newer.edition() + ".");
            }
        }
        now.values().forEach(added -> changes.add("The " + added + " was added."));
        return changes;
    }
}
