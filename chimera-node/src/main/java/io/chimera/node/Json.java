package io.chimera.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;

/** Reads and writes JSON for the commands and the HTTP port of a node, with names in snake_case. */
public final class Json {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private Json() {}

    /** Formats a value as one line. */
    public static String line(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The value cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** Formats a value over several indented lines. */
    public static String pretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The value cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** Converts a value to a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /**
     * Parses a text.
     *
     * @param origin origin of the text, for the error message
     * @throws ChimeraException when the text is no JSON
     */
    public static JsonNode read(String origin, String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ChimeraException(
                    Category.ERROR, origin + " did not answer with JSON. Check that it is a Chimera node.", e);
        }
    }
}
