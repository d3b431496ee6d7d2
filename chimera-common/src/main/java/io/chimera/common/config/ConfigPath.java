package io.chimera.common.config;

import java.util.Locale;

/** Builds and compares full names of keys, e.g. {@code inputs.influx.http}. */
final class ConfigPath {
    private ConfigPath() {}

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns whether a key is the section, or is inside the section. */
    static boolean isWithin(String key, String section) {
        return key.startsWith(section)
                && (key.length() == section.length() || ".[".indexOf(key.charAt(section.length())) >= 0);
    }

    /** Returns the key of a record component: {@code maxPoints} becomes {@code max_points}. */
    static String keyOf(String component) {
        return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
