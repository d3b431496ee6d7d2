package io.chimera.dataset.definition;

import io.chimera.common.config.CopiesConfig;
import io.chimera.dataset.copy.CopyLimits;

/** Bounds of copies from a configuration. */
public final class CopySettings {
    private CopySettings() {}

    /** Returns the bounds of a folder of copies. */
    public static CopyLimits limits(CopiesConfig config) {
        return new CopyLimits(
                config.maxBytes().bytes(), config.keepFor(), config.blockBytes().intBytes());
    }
}
