package io.chimera.common.channel.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BodyPoolTest {
    private static final int MIB = 1 << 20;

    private final BodyPool pool = new BodyPool(MIB, 8 * MIB);

    private byte[] take(int bytes) {
        byte[] array = {};
        while (array.length < bytes) {
            array = pool.grow(array, array.length);
        }
        return array;
    }

    @Test
    void bodiesThatComeAndGoTogetherAreNoGarbage() {
        List<byte[]> first = List.of(take(MIB), take(MIB), take(MIB));
        first.forEach(pool::give);
        List<byte[]> second = new ArrayList<>(List.of(take(MIB), take(MIB), take(MIB)));

        assertThat(pool.bytesOut()).isEqualTo(3L * MIB);
        assertThat(second)
                .usingElementComparator((one, other) -> one == other ? 0 : 1)
                .containsAll(first);
    }

    @Test
    void keepsNoMoreThanHalfOfWhatMayBeOut() {
        List<byte[]> first = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            first.add(take(MIB));
        }
        first.forEach(pool::give);
        long seenAgain = 0;
        for (int i = 0; i < 6; i++) {
            byte[] array = take(MIB);
            seenAgain += first.stream().anyMatch(old -> old == array) ? 1 : 0;
        }

        assertThat(pool.bytesOut()).isEqualTo(6L * MIB);
        assertThat(seenAgain).isBetween(1L, 4L);
    }
}
