package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Writes the records of this package as JSON, and reads them strictly: a missing field or a field of another type makes
 * the znode malformed. Unknown fields are ignored, so that nodes can be upgraded separately.
 */
final class ZnodeJson {
    /**
     * Maximum size of a znode: half the limit of a ZooKeeper server (jute.maxbuffer, 1 MiB), because the start of a
     * cycle writes two such znodes at once.
     */
    static final int BYTES_MAX = 512 * 1024;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS, MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .withCoercionConfig(LogicalType.Textual, text -> {
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                text.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            })
            .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL, Nulls.FAIL))
            .build();

    private ZnodeJson() {}

    static byte[] bytes(Object znode) {
        byte[] bytes;
        try {
            bytes = JSON.writeValueAsBytes(znode);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A record cannot be written as JSON", e);
        }
        if (bytes.length >= BYTES_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "A znode has " + bytes.length + " bytes, the limit is " + BYTES_MAX
                            + ". The size grows with the number of nodes and of streams (one per start of a queue"
                            + " node, as long as a journal holds the stream). Check that cycles are committed, and"
                            + " remove queue nodes that will not return, so that finished streams are omitted.");
        }
        return bytes;
    }

    static JsonNode tree(Object record) {
        return JSON.valueToTree(record);
    }

    static <V> V read(byte[] json, Class<V> type) throws MalformedZnodeException {
        try {
            V znode = json == null ? null : JSON.readValue(json, type);
            if (znode == null) {
                throw new MalformedZnodeException("it is not a JSON object");
            }
            return znode;
        } catch (JsonMappingException e) {
            throw new MalformedZnodeException(defect(e), e);
        } catch (IOException e) {
            throw new MalformedZnodeException("it is not JSON", e);
        }
    }

    private static String defect(JsonMappingException e) {
        String field = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                .collect(Collectors.joining())
                .replaceFirst("^\\.", "");
        if (e instanceof InvalidNullException) {
            return "it has no field '" + field + "'";
        }
        if (e instanceof MismatchedInputException mismatch) {
            return field.isEmpty()
                    ? "it is not a JSON object"
                    : "its field '" + field + "' must be " + wanted(mismatch.getTargetType());
        }
        if (e.getCause() instanceof InputCoercionException mismatch) {
            return "its field '" + field + "' must be " + wanted(mismatch.getTargetType());
        }
        return e.getCause() instanceof IllegalArgumentException
                ? "its field '" + field + "' must be a hex number"
                : "it is not JSON";
    }

    private static String wanted(Class<?> type) {
        if (type == HexName.class) {
            return "a hex number";
        }
        if (type == long.class || type == Long.class) {
            return "a whole number";
        }
        if (type == int.class) {
            return "a number below 2^31";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "text";
        }
        return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}
