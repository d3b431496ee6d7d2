package io.chimera.archive.streamfs.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class GeometryTest {
    private static final int BLOCK = 16 << 10;

    private static Geometry geometry(int devices, long deviceBlocks, int regionBlocks) {
        return new Geometry(new Label(1, 2, 3, 0, devices, 512, BLOCK, 4, 8, deviceBlocks, regionBlocks));
    }

    @Test
    void givesEverySlotABlockOfItsOwn() {
        for (int devices = 1; devices < 4; devices++) {
            for (int region = 0; region < 9; region++) {
                Geometry geometry = geometry(devices, 101, region);
                Set<String> places = new HashSet<>();
                for (int slot = 0; slot < geometry.slots; slot++) {
                    assertThat(geometry.offset(slot) + BLOCK).isLessThanOrEqualTo(geometry.deviceBytes());
                    places.add(geometry.device(slot) + "@" + geometry.offset(slot));
                }
                assertThat(places).hasSize(geometry.slots);
            }
        }
    }

    @Test
    void takesTheRegionsOfThreeZonesInTheOrderThatBalancesSpeed() {
        Geometry geometry = geometry(1, 24, 2); // R1 R2 R3 R4 | S1 .. S4 | T1 .. T4, of two blocks each
        long head = geometry(1, 24, 0).offset(0);
        List<Long> order = new ArrayList<>();
        for (int slot = 0; slot < 24; slot++) {
            order.add((geometry.offset(slot) - head) / BLOCK);
        }

        assertThat(order)
                .startsWith(0L, 1L, 8L, 9L, 22L, 23L, 2L, 3L, 10L, 11L, 20L, 21L)
                .endsWith(6L, 7L, 14L, 15L, 16L, 17L);
    }

    @Test
    void stripesOverDevicesByBlocks() {
        Geometry geometry = geometry(3, 20, 0);

        for (int slot = 0; slot + 3 < geometry.slots; slot++) {
            assertThat(geometry.device(slot)).isEqualTo(slot % 3);
            assertThat(geometry.offset(slot + 3)).isEqualTo(geometry.offset(slot) + BLOCK);
        }
    }
}
