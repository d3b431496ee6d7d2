package io.chimera.common.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Round trip of the control state, and refusal of a damaged copy. */
final class ControlCodecTest {
    private static final TreeMap<Long, Long> CUT = new TreeMap<>(Map.of(-7L, 70L, 0x7fff_ffff_ffff_ffffL, 1L));

    @Test
    void decodesWhatItEncodes() {
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
        ControlState state = new ControlState(
                new LowMark(7, 700, CUT, "digest", new LowMark.Totals(6, 5, 1, 0, 0, 4), "history"),
                3,
                List.of("q1", "q2"),
                new TreeMap<>(Map.of(8L, live)),
                new Replays(
                        new ReplayMark(Cycle.REPLAYS + 3, LowMark.Totals.ZERO),
                        Optional.of(replay),
                        new TreeMap<>(Map.of("r1", request))));

        assertThat(ControlCodec.decode(ControlCodec.encode(state), "here")).isEqualTo(state);
        assertThat(ControlCodec.decode(ControlCodec.encode(ControlState.NONE), "here"))
                .isEqualTo(ControlState.NONE);
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
        return new OpenCycle(cycle, new Assignment(2, "digest", List.of(-1L), List.of(2L, 3L)), new TreeMap<>());
    }
}
