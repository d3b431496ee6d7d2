package io.chimera.dataset.definition;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.dataset.plan.WholeJobLimits;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Limits that a job should keep. */
public record JobLimitsConfig(
        @Doc("Time at which the job should have ended, in ISO 8601 with the offset: 2026-05-01T06:00Z. Then the"
                + " cheapest strategy in time is chosen. Empty: none.")
        @Default
        String deadline,

        @Doc("Cost that the job should keep, in the currency of the prices. 0: none.") @Default("0")
        Double cost) {
    /** Checks the values. */
    public JobLimitsConfig {
        new Requirements()
                .that(
                        deadline.isEmpty() || time(deadline).isPresent(),
                        "deadline",
                        deadline,
                        "a time such as 2026-05-01T06:00Z")
                .that(cost >= 0, "cost", cost, "at least 0")
                .check();
    }

    private static Optional<OffsetDateTime> time(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the limits. */
    public WholeJobLimits limits() {
        OptionalLong deadlineMs = time(deadline)
                .map(end -> OptionalLong.of(end.toInstant().toEpochMilli()))
                .orElse(OptionalLong.empty());
        return new WholeJobLimits(deadlineMs, cost > 0 ? OptionalDouble.of(cost) : OptionalDouble.empty());
    }
}
