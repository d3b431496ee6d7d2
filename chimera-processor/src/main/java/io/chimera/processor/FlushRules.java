package io.chimera.processor;

import io.chimera.common.config.StoreConfig;
import io.chimera.processor.flusher.RowLetters;
import io.chimera.processor.pipeline.RefusalLimits;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rules of the flusher for rows that a store refuses.
 *
 * @param limits by store; a store without an entry has {@link RefusalLimits#DEFAULT}
 * @param letters keeps bad rows; empty for a file in the data folder
 */
public record FlushRules(Map<String, RefusalLimits> limits, Optional<RowLetters> letters) {
    /** Default limits, and a dead-letter file in the data folder. */
    public static final FlushRules DEFAULT = new FlushRules(Map.of(), Optional.empty());

    /** Returns the rules of a configuration. */
    public static FlushRules of(Map<String, StoreConfig> stores) {
        Map<String, RefusalLimits> limits = new TreeMap<>();
        stores.forEach((name, store) -> limits.put(name, RefusalLimits.of(store)));
        return new FlushRules(limits, Optional.empty());
    }

    RefusalLimits limitsOf(String store) {
        return limits.getOrDefault(store, RefusalLimits.DEFAULT);
    }
}
