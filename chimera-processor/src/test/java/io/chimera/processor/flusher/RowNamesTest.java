package io.chimera.processor.flusher;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.row.RowNaming;
import io.chimera.processor.pipeline.Function;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RowNamesTest {
    private final RowNames names = new RowNames(
            new RowNaming("all", "", Map.of()),
            List.of(new Function("count", Function.Kind.COUNT, -1, 0), new Function("sum", Function.Kind.SUM, -1, 0)));

    @Test
    void sharesTheNamesOfAFieldInTheSamePlace() {
        List<String> first = names.of("cpu", "idle", 0);

        assertThat(first).containsExactly("cpu.idle.count", "cpu.idle.sum");
        assertThat(names.of("cpu", "user", 1)).containsExactly("cpu.user.count", "cpu.user.sum");
        assertThat(names.of("cpu", "idle", 0)).isSameAs(first);
    }

    @Test
    void followsOtherMetricsAndFields() {
        names.of("cpu", "idle", 0);

        assertThat(names.of("mem", "idle", 0)).containsExactly("mem.idle.count", "mem.idle.sum");
        assertThat(names.of("mem", "free", 0)).containsExactly("mem.free.count", "mem.free.sum");
        assertThat(names.of("cpu", "idle", 0)).containsExactly("cpu.idle.count", "cpu.idle.sum");
    }

    @Test
    void namesFieldsInPlacesWithoutEnd() {
        for (int place = 0; place < 1_000; place++) {
            assertThat(names.of("m", "f" + place, place))
                    .containsExactly("m.f" + place + ".count", "m.f" + place + ".sum");
        }
    }
}
