package io.chimera.common.config.binding;

import java.util.Locale;

/** Builds and compares full names of keys, e.g. {@code inputs.influx.http}. */
public final class ConfigPath {
    /** Pattern of the names of nodes, inputs, pipelines and stores. */
    public static final String NAME_FORM = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private ConfigPath() {}

    public static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Returns whether a key is the section, or is inside the section. */
    public static boolean isWithin(String key, String section) {
        return key.startsWith(section)
                && (key.length() == section.length() || ".[".indexOf(key.charAt(section.length())) >= 0);
    }

    /** Returns the first name of a path. */
    static String first(String path) {
        int dot = path.indexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    /** Returns the key of a record component: {@code maxPoints} becomes {@code max_points}. */
    static String keyOf(String component) {
        return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
