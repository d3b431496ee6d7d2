package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.chimera.common.cluster.Positions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Name of a session or stream: a hex string in JSON, because JSON readers round large numbers. */
record HexName(long value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static HexName of(String hex) {
        return new HexName(Long.parseUnsignedLong(hex, 16));
    }

    @JsonValue
    String hex() {
        return Long.toHexString(value);
    }

    static List<HexName> list(List<Long> values) {
        return values.stream().map(HexName::new).toList();
    }

    static List<Long> values(List<HexName> names) {
        return names.stream().map(HexName::value).toList();
    }

    /** Converts the sequence number of each stream, in the order of the streams. */
    static Map<HexName, Long> positions(Positions positions) {
        Map<HexName, Long> named = new LinkedHashMap<>();
        positions.forEach((stream, seq) -> named.put(new HexName(stream), seq));
        return named;
    }

    static Positions positions(Map<HexName, Long> named) throws MalformedZnodeException {
        Positions.Builder positions = Positions.builder();
        for (Map.Entry<HexName, Long> stream : named.entrySet()) {
            if (stream.getValue() < 0) {
                throw new MalformedZnodeException("the position of stream "
                        + stream.getKey().hex() + " must be 0 or more, not " + stream.getValue());
            }
            positions.put(stream.getKey().value(), stream.getValue());
        }
        return positions.build();
    }
}
