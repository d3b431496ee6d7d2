package io.chimera.dataset.definition;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.dataset.job.RejectLimits;

/** Bounds of the rejected events that a job keeps. */
public record RejectsConfig(
        @Doc("Maximum number of events of a split.") @Default("100")
        Integer perSplit,

        @Doc("Maximum number of events of the job.") @Default("1000")
        Integer perJob,

        @Doc("Maximum length of the text of an event; longer texts are cut.") @Default("512B")
        ByteSize text) {
    private static final int PER_SPLIT_MAX = 10_000;
    private static final int TEXT_BYTES_MAX = 64 << 10;

    /** Checks the values. */
    public RejectsConfig {
        new Requirements()
                .that(perSplit >= 0 && perSplit <= PER_SPLIT_MAX, "rejects.per_split", perSplit, "0 to 10000")
                .that(perJob >= 0, "rejects.per_job", perJob, "at least 0")
                .that(text.bytes() <= TEXT_BYTES_MAX, "rejects.text", text, "at most 64KiB")
                .check();
    }

    /** Returns the bounds. */
    public RejectLimits limits() {
        return new RejectLimits(perSplit, perJob, (int) text.bytes());
    }
}
