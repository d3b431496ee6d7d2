package io.chimera.common.config.binding;

import java.util.HashMap;
import java.util.Map;

/** Creates sections of the configuration in code, with the declared defaults of all other keys. */
public final class Sections {
    private Sections() {}

    /**
     * Creates a section.
     *
     * @param <R> the record of the section
     * @param type class of the record
     * @param keysAndValues names of keys as in the file, each followed by its value; null for the default
     * @return the section
     * @throws IllegalArgumentException for an unknown key, or a value refused by the record
     */
    public static <R extends Record> R of(Class<R> type, Object... keysAndValues) {
        RecordKeys<R> keys = new RecordKeys<>(type);
        Map<String, Object> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        Settings settings = (Settings) values.remove("settings");
        Object[] inOrder = keys.names().stream().map(values::remove).toArray();
        if (!values.isEmpty()) {
            throw new IllegalArgumentException("Keys " + values.keySet() + " are unknown in " + type.getSimpleName()
                    + "; known keys: " + String.join(", ", keys.names()) + ".");
        }
        return keys.create(inOrder, settings);
    }
}
