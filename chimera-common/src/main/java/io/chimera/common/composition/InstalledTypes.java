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

/** The built-in kinds of blocks together with others that were found. Immutable. */
public final class InstalledTypes implements TransformTypes {
    private final SortedMap<String, TransformType> types = new TreeMap<>();

    /**
     * The built-in kinds, and others.
     *
     * @param others what {@link ServiceLoader} found
     * @throws ChimeraException when two have one name
     */
    public InstalledTypes(Iterable<TransformType> others) {
        BuiltInBlocks.all().forEach(this::add);
        others.forEach(this::add);
    }

    /** The built-in kinds, and those on the class path. */
    public static InstalledTypes ofClassPath() {
        return new InstalledTypes(ServiceLoader.load(TransformType.class));
    }

    private void add(TransformType type) {
        TransformType other = types.put(type.name(), type);
        if (other != null) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "Two kinds of blocks are named " + type.name() + ": "
                            + other.getClass().getName() + " and "
                            + type.getClass().getName()
                            + "; take one of them away.");
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
