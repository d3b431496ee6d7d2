package io.chimera.common.plugin;

import io.chimera.common.error.ChimeraException;

/** A call of a plugin failed, or was not made because the plugin is quarantined. Its text names the plugin and what to do. */
public final class PluginFailure extends ChimeraException {
    private static final long serialVersionUID = 1L;

    PluginFailure(String message, Throwable cause) {
        super(Category.ERROR, message, cause);
        if (cause != null) {
            setStackTrace(cause.getStackTrace()); // the line of the plugin, by which the error log tells errors apart
        }
    }
}
