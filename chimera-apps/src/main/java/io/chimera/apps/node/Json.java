package io.chimera.apps.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;

/** JSON as the commands and the nodes' HTTP port write and read it: names in snake_case. */
public final class Json {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private Json() {}

    /** A value as one line. */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a value that JSON can hold: " + value.getClass(), e);
        }
    }

    /** A value over several lines, for people. */
    public static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not a value that JSON can hold: " + value.getClass(), e);
        }
    }

    /** A value as a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /**
     * Reads a text.
     *
     * @param origin where it came from, for the message
     * @throws ChimeraException when it is not JSON
     */
    public static JsonNode read(String origin, String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ChimeraException(Category.ERROR, origin + " did not answer with JSON; is it a Chimera node?", e);
        }
    }
}
