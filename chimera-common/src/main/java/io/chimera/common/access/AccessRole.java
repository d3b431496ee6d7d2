package io.chimera.common.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a principal may do. */
public enum AccessRole {
    /** Write points to the inputs that the token names. */
    INGEST,
    /** Read status, metrics and past cycles. */
    VIEW,
    /** Read data points and packets. */
    TAP,
    /** Drain, reload and replay; includes {@link #VIEW}. */
    OPERATE,
    /** Remove nodes; includes {@link #OPERATE} and {@link #TAP}. */
    ADMIN;

    /** The role and all roles that it includes. */
    Set<AccessRole> included() {
        return switch (this) {
            case INGEST, VIEW, TAP -> EnumSet.of(this);
            case OPERATE -> EnumSet.of(OPERATE, VIEW);
            case ADMIN -> EnumSet.of(ADMIN, OPERATE, VIEW, TAP);
        };
    }

    /** The role as the token file and messages write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
