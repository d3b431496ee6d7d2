package io.chimera.bench.datasets.process;

import java.util.Locale;

/** Strategies of a job. */
public enum JobStrategy {
    /** Bytes go from the source into the computation. */
    STREAM,
    /** Bytes go to storage nearby first, and from there into the computation. */
    COPY,
    /** Bytes are computed and stored at the same time. */
    OVERLAP,
    /** The command chooses. */
    AUTO;

    /** Returns the name as in the options of the command. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
