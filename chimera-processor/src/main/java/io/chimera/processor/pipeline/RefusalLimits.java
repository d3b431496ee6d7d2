package io.chimera.processor.pipeline;

import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.binding.Sections;
import java.time.Duration;

/**
 * Limits of a store. Refused rows beyond the limits are an outage of the store, not bad rows.
 *
 * @param share of the rows of a write, from 0 to 1, that may be refused without an outage
 * @param patience time that more refused rows wait while the store accepts known-good rows
 */
public record RefusalLimits(double share, Duration patience) {
    /** Limits of a configuration without the keys. */
    public static final RefusalLimits DEFAULT = of(Sections.of(StoreConfig.class));

    /** Returns the limits of a configuration. */
    public static RefusalLimits of(StoreConfig config) {
        return new RefusalLimits(config.refusedMax(), config.refusedFor());
    }
}
