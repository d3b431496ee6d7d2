package io.chimera.common.cluster.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * Encodes the control state as a line of text: {@code 8 hex digits of CRC32C, space, JSON}. The length is bounded: the
 * mark, the cycles in flight and a replay cycle, each at most as long as a znode, and replay requests up to {@link
 * #REQUESTS_LENGTH_MAX}.
 */
public final class ControlCodec {
    /** Maximum total length of the replay requests. Longer requests are omitted; an operator can submit them again. */
    static final int REQUESTS_LENGTH_MAX = 4 << 20;

    private static final int CRC_LENGTH = 8;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ControlCodec() {}

    /** JSON form of an open cycle, with the fields of its two znodes. */
    private record Open(
            long number,
            long epoch,
            CycleTime time,
            Positions cut,
            List<Long> queues,
            List<Long> processors,
            Replay replay,
            int version,
            ConfigurationDigest digest,
            List<Long> owners,
            List<Long> takers,

            @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = CycleGroups.Unnamed.class)
            CycleGroups groups) {
        static Open of(OpenCycle open) {
            Cycle cycle = open.cycle();
            Assignment assignment = open.assignment();
            return new Open(
                    cycle.number(),
                    cycle.epoch(),
                    cycle.time(),
                    cycle.cut(),
                    cycle.queues(),
                    cycle.processors(),
                    cycle.replay().orElse(null),
                    assignment.version(),
                    assignment.digest(),
                    assignment.owners(),
                    assignment.processors(),
                    cycle.groups());
        }

        OpenCycle open() {
            return new OpenCycle(
                    new Cycle(
                            number,
                            epoch,
                            time,
                            cut,
                            queues,
                            processors,
                            Optional.ofNullable(replay),
                            groups == null ? CycleGroups.NONE : groups),
                    new Assignment(version, digest, owners, takers),
                    new TreeMap<>());
        }
    }

    private record Copy(
            LowMark low,
            long epoch,
            List<String> group,
            List<Open> cycles,
            ReplayMark replayed,
            Open replay,
            List<ReplayRequest> requests,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JournalGroup> groups,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> groupUnknown) {
        Roster roster() {
            SortedMap<String, JournalGroup> all = new TreeMap<>(Roster.of(group).groups());
            if (groups != null) {
                all.putAll(groups);
            }
            List<String> unknown = groupUnknown == null ? List.of() : groupUnknown;
            all.keySet().removeAll(unknown);
            return new Roster(all, new TreeSet<>(unknown));
        }
    }

    /** Encodes a state. */
    public static byte[] encode(ControlState state) {
        try {
            String text = text(state);
            return (crc(text) + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot serialize the control state to JSON.", e);
        }
    }

    private static String text(ControlState state) throws JsonProcessingException {
        Replays replays = state.replays();
        String requests = JSON.writeValueAsString(replays.requests().values());
        Copy copy = new Copy(
                state.low(),
                state.epoch(),
                state.roster().ids(),
                state.cycles().values().stream().map(Open::of).toList(),
                replays.mark(),
                replays.open().map(Open::of).orElse(null),
                requests.length() > REQUESTS_LENGTH_MAX
                        ? List.of()
                        : List.copyOf(replays.requests().values()),
                others(state.roster()),
                List.copyOf(state.roster().unknown()));
        return JSON.writeValueAsString(copy);
    }

    /** Returns the groups of the nodes outside the default group. */
    private static Map<String, JournalGroup> others(Roster roster) {
        SortedMap<String, JournalGroup> others = new TreeMap<>(roster.groups());
        others.values().removeIf(JournalGroup::isDefault);
        return others;
    }

    /**
     * Decodes a state.
     *
     * @param line the encoded line
     * @param place source of the line, for the error message
     * @throws ChimeraException if the line is damaged
     */
    public static ControlState decode(byte[] line, String place) {
        String text = new String(line, StandardCharsets.UTF_8).strip();
        if (text.length() <= CRC_LENGTH || !text.startsWith(crc(text.substring(CRC_LENGTH + 1)) + " ")) {
            throw damaged(place, "checksum mismatch", null);
        }
        try {
            Copy copy = JSON.readValue(text.substring(CRC_LENGTH + 1), Copy.class);
            SortedMap<Long, OpenCycle> cycles = new TreeMap<>();
            copy.cycles.forEach(open -> cycles.put(open.number, open.open()));
            SortedMap<String, ReplayRequest> requests = new TreeMap<>();
            copy.requests.forEach(request -> requests.put(request.id(), request));
            return new ControlState(
                    copy.low,
                    copy.epoch,
                    copy.roster(),
                    cycles,
                    new Replays(copy.replayed, Optional.ofNullable(copy.replay).map(Open::open), requests));
        } catch (JsonProcessingException | RuntimeException e) {
            throw damaged(place, "its format is unknown to this release", e);
        }
    }

    private static ChimeraException damaged(String place, String reason, Exception cause) {
        return new ChimeraException(
                Category.ERROR,
                "The copy of the control state at " + place + " cannot be read: " + reason
                        + ". Use the copy of another queue node.",
                cause);
    }

    private static String crc(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }
}
