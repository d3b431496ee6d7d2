package io.chimera.coordinator.zookeeper;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the fields of a znode's JSON object. A missing field or a field of another type makes the znode malformed. */
record ZnodeFields(JsonNode object) {
    long number(String name) throws MalformedZnodeException {
        return number(name, field(name));
    }

    int smallNumber(String name) throws MalformedZnodeException {
        long value = number(name);
        if (value != (int) value) {
            throw malformed(name, "a number below 2^31", field(name));
        }
        return (int) value;
    }

    String text(String name) throws MalformedZnodeException {
        JsonNode value = field(name);
        if (!value.isTextual()) {
            throw malformed(name, "text", value);
        }
        return value.textValue();
    }

    List<String> texts(String name) throws MalformedZnodeException {
        JsonNode array = field(name);
        if (!array.isArray()) {
            throw malformed(name, "a list", array);
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array) {
            if (!element.isTextual()) {
                throw malformed(name, "a list of texts", element);
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    boolean flag(String name) throws MalformedZnodeException {
        JsonNode value = field(name);
        if (!value.isBoolean()) {
            throw malformed(name, "true or false", value);
        }
        return value.booleanValue();
    }

    /** Returns a 64-bit name (of a session or stream), written in hex. */
    long name(String name) throws MalformedZnodeException {
        return name(name, text(name));
    }

    List<Long> names(String name) throws MalformedZnodeException {
        JsonNode array = field(name);
        if (!array.isArray()) {
            throw malformed(name, "a list", array);
        }
        List<Long> names = new ArrayList<>();
        for (JsonNode element : array) {
            if (!element.isTextual()) {
                throw malformed(name, "a list of hex numbers", element);
            }
            names.add(name(name, element.textValue()));
        }
        return names;
    }

    /** Returns the sequence number of each stream. */
    SortedMap<Long, Long> positions(String name) throws MalformedZnodeException {
        JsonNode map = field(name);
        if (!map.isObject()) {
            throw malformed(name, "an object", map);
        }
        SortedMap<Long, Long> positions = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            long position = number(name, entry.getValue());
            if (position < 0) {
                throw malformed(name, "positions of 0 or more", entry.getValue());
            }
            positions.put(name(name, entry.getKey()), position);
        }
        return positions;
    }

    ZnodeFields object(String name) throws MalformedZnodeException {
        JsonNode value = field(name);
        if (!value.isObject()) {
            throw malformed(name, "an object", value);
        }
        return new ZnodeFields(value);
    }

    /** Returns whether the field exists: fields unknown to earlier releases may be missing. */
    boolean has(String name) {
        return object.has(name);
    }

    List<ZnodeFields> objects(String name) throws MalformedZnodeException {
        JsonNode array = field(name);
        if (!array.isArray()) {
            throw malformed(name, "a list", array);
        }
        List<ZnodeFields> objects = new ArrayList<>();
        for (JsonNode element : array) {
            if (!element.isObject()) {
                throw malformed(name, "a list of objects", element);
            }
            objects.add(new ZnodeFields(element));
        }
        return objects;
    }

    private JsonNode field(String name) throws MalformedZnodeException {
        JsonNode value = object.get(name);
        if (value == null) {
            throw new MalformedZnodeException("it has no field '" + name + "'");
        }
        return value;
    }

    private static long number(String name, JsonNode value) throws MalformedZnodeException {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw malformed(name, "a whole number", value);
        }
        return value.longValue();
    }

    private static long name(String field, String hex) throws MalformedZnodeException {
        try {
            return Long.parseUnsignedLong(hex, 16);
        } catch (NumberFormatException e) {
            throw new MalformedZnodeException(
                    "its field '" + field + "' must be a hex number, not '" + shortened(hex) + "'", e);
        }
    }

    private static MalformedZnodeException malformed(String name, String wanted, JsonNode value) {
        return new MalformedZnodeException(
                "its field '" + name + "' must be " + wanted + ", not " + shortened(value.toString()));
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
