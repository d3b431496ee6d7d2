package io.chimera.common.cluster;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an archive node holds; each kind is asked in words of its own. */
public enum ArchiveKind {
    /** Packets of networks. */
    PACKETS,
    /** Data points. */
    POINTS;

    /** The kind of a name, e.g. {@code points}. */
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
