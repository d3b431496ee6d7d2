package io.chimera.common.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.chimera.common.config.binding.ConfigWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Digest of the settings with an effect on the content of a cycle: the names of the inputs (a record stores its input
 * as an index into their ordered list) and the pipelines. The end of a cycle is excluded: the conductor alone reads
 * these settings and stores the decision in the cycle's record.
 */
final class ConfigDigest {
    private static final ObjectMapper CANONICAL =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private ConfigDigest() {}

    static String of(ChimeraConfig config) {
        Map<String, Object> pipelines = new TreeMap<>();
        config.pipelines().forEach((name, pipeline) -> pipelines.put(name, ConfigWriter.tree(pipeline)));
        Map<String, Object> content =
                Map.of("inputs", new TreeSet<>(config.inputs().keySet()), "pipelines", pipelines);
        try {
            byte[] canonical = CANONICAL.writeValueAsString(content).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical));
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("Cannot compute the digest of the configuration.", e);
        }
    }
}
