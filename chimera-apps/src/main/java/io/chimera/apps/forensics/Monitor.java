package io.chimera.apps.forensics;

import java.util.Locale;

/** Recording points of the network. */
public enum Monitor {
    /** Border between inside and outside. */
    GATEWAY,
    /** Path to host A. */
    PATH_A,
    /** Path to host B. */
    PATH_B;

    /** Returns the name of the monitor's file and stream. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
