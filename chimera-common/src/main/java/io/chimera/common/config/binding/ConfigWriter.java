package io.chimera.common.config.binding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a configuration with the value of every key; secrets are redacted. */
public final class ConfigWriter {
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build());

    private ConfigWriter() {}

    /** Formats a configuration as YAML; the YAML can be loaded again unless it contains secrets. */
    public static String yaml(Record config) {
        try {
            return YAML.writeValueAsString(tree(config));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write the configuration as YAML.", e);
        }
    }

    /** Formats a duration as in the file. */
    public static String text(Duration duration) {
        return Durations.format(duration);
    }

    /**
     * Converts a configuration, or a part of a configuration, to maps, lists, numbers, booleans and texts; secrets are
     * redacted.
     */
    public static Map<String, Object> tree(Record config) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (RecordKeys.Key key : new RecordKeys<>(config.getClass()).keys()) {
            Object value = key.valueIn(config);
            if (value != null) {
                put(tree, key.name(), value);
            }
        }
        RecordKeys.settingsIn(config).asMap().forEach((name, value) -> put(tree, name, value));
        return tree;
    }

    /** Number of keys with a value other than the default; a key without a default counts if set. */
    public static int changedKeys(Record config) {
        Object defaults = defaultsOf(config.getClass());
        int changed = RecordKeys.settingsIn(config).asMap().size();
        for (RecordKeys.Key key : new RecordKeys<>(config.getClass()).keys()) {
            Object value = key.valueIn(config);
            if (value instanceof Map<?, ?> map && map.values().stream().allMatch(ConfigWriter::isSection)) {
                changed += map.values().stream()
                        .mapToInt(entry -> changedKeys((Record) entry))
                        .sum();
            } else if (isSection(value)) {
                changed += changedKeys((Record) value);
            } else if (value != null && (defaults == null || !value.equals(key.valueIn(defaults)))) {
                changed++;
            }
        }
        return changed;
    }

    private static boolean isSection(Object value) {
        return value instanceof Record && ScalarType.of(value.getClass()) == null;
    }

    /** Returns the default section; null for a section with required keys. */
    private static Object defaultsOf(Class<? extends Record> section) {
        try {
            return new RecordKeys<>(section).defaults();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void put(Map<String, Object> tree, String key, Object value) {
        boolean isNamed = value instanceof Map || value instanceof Record; // names of sections are never secrets
        boolean isSecret = !isNamed && !value.equals("") && Secrets.isSecret(key); // an empty value is not a secret
        tree.put(key, isSecret ? Secrets.REDACTED : value(value));
    }

    private static Object value(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> tree = new LinkedHashMap<>();
            map.forEach((name, entry) -> put(tree, name.toString(), entry));
            return tree;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(ConfigWriter::value).toList();
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value;
        }
        if (value instanceof Record record && ScalarType.of(record.getClass()) == null) {
            return tree(record);
        }
        return Secrets.withoutUserInfo(ScalarType.write(value));
    }
}
