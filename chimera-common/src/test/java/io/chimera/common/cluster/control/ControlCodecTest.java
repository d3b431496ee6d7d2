package io.chimera.common.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.cluster.Roster;
import io.chimera.common.cluster.StreamGroups;
import io.chimera.common.error.ChimeraException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Round trip of the control state, and refusal of a damaged copy. */
final class ControlCodecTest {
    private static final Positions CUT = Positions.of(-7, 70, Long.MAX_VALUE, 1);

    @Test
    void keepsNodesWhoseGroupIsUnknown() {
        Roster roster = new Roster(
                new TreeMap<>(Map.of("q1", JournalGroup.DEFAULT, "q2", new JournalGroup("east"))),
                new TreeSet<>(List.of("q3")));
        ControlState state = new ControlState(LowMark.NONE, 0, roster, new TreeMap<>(), Replays.NONE);

        assertThat(ControlCodec.decode(ControlCodec.encode(state), "here")).isEqualTo(state);
    }

    @Test
    void decodesWhatItEncodes() {
        ControlState state = state();

        assertThat(ControlCodec.decode(ControlCodec.encode(state), "here")).isEqualTo(state);
        assertThat(ControlCodec.decode(ControlCodec.encode(ControlState.NONE), "here"))
                .isEqualTo(ControlState.NONE);
    }

    @Test
    void encodesStreamsAsDecimalNumbersInTheirOrder() {
        String cut = "{\"-7\":70,\"9223372036854775807\":1}";

        assertThat(new String(ControlCodec.encode(state()), StandardCharsets.UTF_8))
                .isEqualTo("785f41ce {\"low\":{\"cycle\":7,\"timeMs\":700,\"cut\":" + cut
                        + ",\"digest\":\"digest\",\"totals\":{\"points\":6,\"aggregated\":5,\"late\":1,\"rejected\":0,"
                        + "\"filtered\":0,\"rows\":4},\"history\":\"history\"},\"epoch\":3,\"group\":[\"q1\",\"q2\"],"
                        + "\"cycles\":[{\"number\":8,\"epoch\":3,\"time\":{\"rowsMs\":800,\"clockMs\":800},\"cut\":"
                        + cut
                        + ",\"queues\":[-1],\"processors\":[2,3],\"replay\":null,\"version\":2,\"digest\":\"digest\","
                        + "\"owners\":[-1],\"takers\":[2,3]}],\"replayed\":{\"cycle\":1000000000000003,\"totals\":"
                        + "{\"points\":0,\"aggregated\":0,\"late\":0,\"rejected\":0,\"filtered\":0,\"rows\":0}},"
                        + "\"replay\":{\"number\":1000000000000004,\"epoch\":3,\"time\":{\"rowsMs\":200,\"clockMs\":200},"
                        + "\"cut\":" + cut + ",\"queues\":[1],\"processors\":[2,3],\"replay\":{\"request\":\"r1\","
                        + "\"cycle\":2,\"before\":" + cut + ",\"pipeline\":\"p\"},\"version\":2,\"digest\":\"digest\","
                        + "\"owners\":[-1],\"takers\":[2,3]},\"requests\":[{\"id\":\"r1\",\"pipeline\":\"p\",\"cycles\":["
                        + "{\"number\":2,\"time\":{\"rowsMs\":200,\"clockMs\":190},\"parts\":1,\"before\":" + cut
                        + ",\"cut\":" + cut + "},{\"number\":3,\"time\":{\"rowsMs\":300,\"clockMs\":300},\"parts\":0,"
                        + "\"before\":" + cut + ",\"cut\":" + cut
                        + "}],\"next\":0,\"skipped\":0,\"accounts\":{\"points\":0,"
                        + "\"aggregated\":0,\"late\":0,\"rejected\":0,\"filtered\":0,\"rows\":0},\"done\":false}]}\n");
    }

    @Test
    void decodesGroupsOfNodesPartsAndStreams() {
        JournalGroup east = new JournalGroup("east");
        StreamGroups streams = StreamGroups.copyOf(Map.of(-7L, east));
        CycleGroups groups = new CycleGroups(
                List.of(new CycleGroups.Parts(JournalGroup.DEFAULT, 0, 1), new CycleGroups.Parts(east, 1, 1)), streams);
        Cycle cycle = new Cycle(8, 3, CycleTime.of(800), CUT, List.of(1L, 2L), List.of(3L), Optional.empty(), groups);
        ReplayRequest request = new ReplayRequest(
                "r1", "", List.of(new PastCycle(2, CycleTime.of(200), 2, Positions.NONE, CUT, groups)));
        ControlState state = new ControlState(
                new LowMark(7, 700, CUT, new ConfigurationDigest("d"), LowMark.Totals.ZERO, "history", streams),
                3,
                new Roster(new TreeMap<>(Map.of("q1", JournalGroup.DEFAULT, "q2", east))),
                new TreeMap<>(Map.of(8L, open(cycle))),
                new Replays(ReplayMark.NONE, Optional.empty(), new TreeMap<>(Map.of("r1", request))));

        assertThat(ControlCodec.decode(ControlCodec.encode(state), "here")).isEqualTo(state);
    }

    private static ControlState state() {
        OpenCycle live = open(new Cycle(8, 3, 800, CUT, List.of(-1L), List.of(2L, 3L)));
        OpenCycle replay = open(new Cycle(
                Cycle.REPLAYS + 4,
                3,
                CycleTime.of(200),
                CUT,
                List.of(1L),
                List.of(2L, 3L),
                Optional.of(new Replay("r1", 2, CUT, "p"))));
        ReplayRequest request = new ReplayRequest(
                "r1",
                "p",
                List.of(
                        new PastCycle(2, new CycleTime(200, 190), 1, CUT, CUT),
                        new PastCycle(3, CycleTime.of(300), CUT, CUT)));
        return new ControlState(
                new LowMark(
                        7,
                        700,
                        CUT,
                        new ConfigurationDigest("digest"),
                        new LowMark.Totals(6, 5, 1, 0, 0, 4),
                        "history"),
                3,
                Roster.of(List.of("q1", "q2")),
                new TreeMap<>(Map.of(8L, live)),
                new Replays(
                        new ReplayMark(Cycle.REPLAYS + 3, LowMark.Totals.ZERO),
                        Optional.of(replay),
                        new TreeMap<>(Map.of("r1", request))));
    }

    @Test
    void refusesAnyChangedByte() {
        byte[] line = ControlCodec.encode(ControlState.NONE);
        for (int i = 0; i < line.length - 1; i++) {
            byte[] changed = line.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> ControlCodec.decode(changed, "here"))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("here");
        }
        assertThatThrownBy(() -> ControlCodec.decode(new byte[0], "here")).isInstanceOf(ChimeraException.class);
    }

    private static OpenCycle open(Cycle cycle) {
        return new OpenCycle(
                cycle,
                new Assignment(2, new ConfigurationDigest("digest"), List.of(-1L), List.of(2L, 3L)),
                new TreeMap<>());
    }
}
