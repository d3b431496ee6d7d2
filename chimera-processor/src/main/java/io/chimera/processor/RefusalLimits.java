package io.chimera.processor;

import io.chimera.common.config.StoreConfig;
import java.time.Duration;

/**
 * Limits of one store beyond which refused rows are an outage of the store, not bad rows.
 *
 * @param share of the rows of a write, from 0 to 1, that may be refused without an outage
 * @param patience time that more refused rows wait while the store accepts known-good rows
 */
public record RefusalLimits(double share, Duration patience) {
    /** The limits of a configuration without these keys. */
    public static final RefusalLimits DEFAULT =
            new RefusalLimits(StoreConfig.REFUSED_MAX_DEFAULT, StoreConfig.REFUSED_FOR_DEFAULT);

    /** The limits of a configuration. */
    public static RefusalLimits of(StoreConfig config) {
        return new RefusalLimits(config.refusedMax(), config.refusedFor());
    }
}
