package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.List;

/** Mapping of series by an input of type remote_write. */
public record RemoteWriteConfig(
        @Doc("NaN and infinite values: skip (accepted, dropped and counted) or reject (answered 400). Stale markers are"
                + " always accepted.")
        @Default("skip")
        NotFinite notFinite,

        @Doc("Endings of the names of cumulative series, which get the field total instead of value. A type in the"
                + " metadata of version 2.0 takes precedence.")
        @Default({"_total", "_count", "_sum", "_bucket"})
        List<String> counterSuffixes) {
    /** Treatment of values that aggregates cannot store. */
    public enum NotFinite {
        /** Accepts, drops and counts the values. */
        SKIP,
        /** Rejects the values. */
        REJECT
    }

    private static final int SUFFIXES_MAX = 64;

    /** Checks the values. */
    public RemoteWriteConfig {
        new Requirements()
                .that(
                        counterSuffixes.size() <= SUFFIXES_MAX
                                && counterSuffixes.stream().noneMatch(String::isEmpty),
                        "counter_suffixes",
                        counterSuffixes,
                        "at most " + SUFFIXES_MAX + " texts, none empty")
                .check();
    }
}
