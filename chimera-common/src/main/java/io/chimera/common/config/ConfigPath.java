package io.chimera.common.config;

import java.util.Locale;

/** Full names of keys, e.g. {@code inputs.influx.http}. */
final class ConfigPath {
    private ConfigPath() {}

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Name of a record component as a key: {@code maxPoints} is {@code max_points}. */
    static String keyOf(String component) {
        return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
