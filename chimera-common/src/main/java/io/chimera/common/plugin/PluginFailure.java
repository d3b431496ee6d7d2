package io.chimera.common.plugin;

import io.chimera.common.error.ChimeraException;

/**
 * Failed call of a plugin, or a call refused because the plugin is quarantined. The message names the plugin and a
 * remedy.
 */
public final class PluginFailure extends ChimeraException {
    private static final long serialVersionUID = 1L;

    PluginFailure(String message, Throwable cause) {
        super(Category.ERROR, message, cause);
        if (cause != null) {
            setStackTrace(cause.getStackTrace()); // the error log distinguishes errors by the plugin's line
        }
    }
}
