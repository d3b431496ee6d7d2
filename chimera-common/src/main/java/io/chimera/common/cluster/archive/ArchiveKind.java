package io.chimera.common.cluster.archive;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Kind of data in an archive node; each kind has its own query language. */
public enum ArchiveKind {
    /** Network packets. */
    PACKETS,
    /** Data points. */
    POINTS;

    /** Returns the kind with a name, e.g. {@code points}. */
    public static Optional<ArchiveKind> of(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
