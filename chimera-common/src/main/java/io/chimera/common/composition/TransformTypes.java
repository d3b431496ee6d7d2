package io.chimera.common.composition;

import io.chimera.api.spi.TransformType;
import java.util.Optional;
import java.util.SortedSet;

/** The kinds of blocks that there are. Immutable. */
public interface TransformTypes {
    /** The kind with a name. */
    Optional<TransformType> find(String name);

    /** The names of all. */
    SortedSet<String> names();
}
