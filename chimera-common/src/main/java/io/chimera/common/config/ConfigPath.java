package io.chimera.common.config;

import java.util.Locale;

/** Builds full names of keys, e.g. {@code inputs.influx.http}. */
final class ConfigPath {
    private ConfigPath() {}

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns the key of a record component: {@code maxPoints} becomes {@code max_points}. */
    static String keyOf(String component) {
        return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
