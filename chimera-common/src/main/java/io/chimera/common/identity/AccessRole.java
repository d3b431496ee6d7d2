package io.chimera.common.identity;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Role of a principal. */
public enum AccessRole {
    /** Write points to the inputs of the token. */
    INGEST,
    /** Read status, metrics and past cycles. */
    VIEW,
    /** Read data points and packets. */
    TAP,
    /** Drain, reload and replay; includes {@link #VIEW}. */
    OPERATE,
    /** Remove nodes; includes {@link #OPERATE} and {@link #TAP}. */
    ADMIN;

    /** Returns the role and all included roles. */
    public Set<AccessRole> included() {
        return switch (this) {
            case INGEST, VIEW, TAP -> EnumSet.of(this);
            case OPERATE -> EnumSet.of(OPERATE, VIEW);
            case ADMIN -> EnumSet.of(ADMIN, OPERATE, VIEW, TAP);
        };
    }

    /** Name of the role in the token file and in messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
