package io.chimera.common.composition;

import io.chimera.api.spi.TransformType;
import io.chimera.common.composition.block.BuiltInBlocks;
import io.chimera.common.error.ChimeraException;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Built-in and additional block types. Immutable. */
public final class InstalledTypes implements TransformTypes {
    private final SortedMap<String, TransformType> types = new TreeMap<>();

    /**
     * Creates the collection of the built-in types and additional types.
     *
     * @param others additional types, e.g. from {@link ServiceLoader}
     * @throws ChimeraException if two types have the same name
     */
    public InstalledTypes(Iterable<TransformType> others) {
        BuiltInBlocks.all().forEach(this::add);
        others.forEach(this::add);
    }

    /** Creates the collection of the built-in types and the types on the class path. */
    public static InstalledTypes ofClassPath() {
        return new InstalledTypes(ServiceLoader.load(TransformType.class));
    }

    private void add(TransformType type) {
        TransformType other = types.put(type.name(), type);
        if (other != null) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "Two block types have the name " + type.name() + ": "
                            + other.getClass().getName() + " and "
                            + type.getClass().getName()
                            + ". Remove one of them.");
        }
    }

    @Override
    public Optional<TransformType> find(String name) {
        return Optional.ofNullable(types.get(name));
    }

    @Override
    public SortedSet<String> names() {
        return new TreeSet<>(types.keySet());
    }
}
