package io.chimera.common.config.reference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.RecordKeys;
import io.chimera.common.config.binding.ScalarType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generates docs/chimera.schema.json (JSON Schema 2020-12) from the records, for editors with completion and
 * validation.
 */
public final class ConfigSchema {
    /**
     * Pattern of a reference. Any single value may be a reference, so every kind also accepts a text with a reference.
     */
    private static final String REFERENCE = "\\$\\{";

    private ConfigSchema() {}

    /** Returns the complete document. */
    public static String json() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Configuration of a Chimera node");
        schema.putAll(section(ChimeraConfig.class));
        try {
            return new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(schema)
                            .replace(System.lineSeparator(), "\n")
                    + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write the schema as JSON.", e);
        }
    }

    private static <R> Map<String, Object> section(Class<R> type) {
        RecordKeys<R> keys = new RecordKeys<>(type);
        R defaults = keys.defaults();
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RecordKeys.Key key : keys.keys()) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("description", key.doc());
            property.putAll(value(key.type()));
            Object value = key.valueIn(defaults);
            if (value != null && ConfigReference.nested(key.type()) == null) {
                property.put("default", written(value));
            }
            properties.put(key.name(), property);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("object", "null"));
        schema.put("additionalProperties", keys.takesSettings());
        schema.put("properties", properties);
        return schema;
    }

    private static Object written(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(ConfigSchema::written).toList();
        }
        return value instanceof Map || value instanceof Number || value instanceof Boolean
                ? value
                : ScalarType.write(value);
    }

    private static Map<String, Object> value(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = parameterized.getActualTypeArguments();
            if (parameterized.getRawType() == Map.class) {
                return names(value(arguments[1]));
            }
            Map<String, Object> list = ordered("type", "array");
            list.put("items", value(arguments[0]));
            return ConfigReference.nested(type) == null
                    ? ordered("anyOf", List.of(list, value(arguments[0]))) // a single value is a list of one
                    : list;
        }
        Class<?> raw = (Class<?>) type;
        ScalarType scalar = ScalarType.of(raw);
        return scalar == null ? section(raw) : scalar(scalar, raw);
    }

    private static Map<String, Object> names(Map<String, Object> of) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("object", "null"));
        schema.put("propertyNames", Map.of("pattern", "^" + ConfigPath.NAME_FORM + "$"));
        schema.put("additionalProperties", of);
        return schema;
    }

    private static Map<String, Object> scalar(ScalarType scalar, Class<?> type) {
        return switch (scalar) {
            case TEXT, PATH -> ordered("type", "string");
            case WHOLE_NUMBER ->
                ordered("anyOf", List.of(ordered("type", "integer"), pattern("^[+-]?[0-9][0-9_]*$|" + REFERENCE)));
            case NUMBER -> ordered("anyOf", List.of(ordered("type", "number"), pattern(REFERENCE)));
            case TRUTH -> ordered("anyOf", List.of(ordered("type", "boolean"), pattern(REFERENCE)));
            case DURATION -> pattern("^[0-9]+ ?(us|ms|s|m|h|d)$|" + REFERENCE);
            case SIZE ->
                ordered(
                        "anyOf",
                        List.of(
                                ordered("type", "integer"),
                                pattern("^[0-9][0-9_]* ?(B|KiB|MiB|GiB|TiB)?$|" + REFERENCE)));
            case LANES ->
                ordered("anyOf", List.of(ordered("type", "integer"), pattern("^(auto|[1-9][0-9]?)$|" + REFERENCE)));
            case PERIOD -> pattern("^(auto|[0-9]+ ?(us|ms|s|m|h|d))$|" + REFERENCE);
            case WEIGHT ->
                ordered("anyOf", List.of(ordered("type", "integer"), pattern("^(auto|[1-9][0-9]{0,2})$|" + REFERENCE)));
            case ADDRESS -> pattern("^.+:[0-9]{1,5}$|" + REFERENCE);
            case CHOICE -> ordered("anyOf", List.of(ordered("enum", ScalarType.choices(type)), pattern(REFERENCE)));
        };
    }

    private static Map<String, Object> pattern(String pattern) {
        Map<String, Object> schema = ordered("type", "string");
        schema.put("pattern", pattern);
        return schema;
    }

    private static Map<String, Object> ordered(String key, Object value) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put(key, value);
        return schema;
    }
}
