package io.chimera.apps.forensics;

import java.util.Locale;

/** Where packets are recorded. */
public enum Monitor {
    /** Between inside and outside. */
    GATEWAY,
    /** On the way to host A. */
    PATH_A,
    /** On the way to host B. */
    PATH_B;

    /** Name of a file or a stream. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
