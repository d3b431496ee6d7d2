package io.chimera.common.composition;

import io.chimera.api.spi.TransformType;
import java.util.Optional;
import java.util.SortedSet;

/** Available block types. Immutable. */
public interface TransformTypes {
    /** Returns the type with a name. */
    Optional<TransformType> find(String name);

    /** Names of all types. */
    SortedSet<String> names();
}
