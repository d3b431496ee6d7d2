package io.chimera.common.channel.netty.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BodyPoolTest {
    private static final int MIB = 1 << 20;

    private final BodyPool pool = new BodyPool(MIB, 8 * MIB);

    private byte[] take(int bytes) {
        return take(pool, bytes);
    }

    private static byte[] take(BodyPool from, int bytes) {
        byte[] array = {};
        while (array.length < bytes) {
            array = from.grow(array, array.length);
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
    void bodiesAreNoGarbageWhileMostOfThePoolIsOut() {
        List<byte[]> out = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            out.add(take(MIB));
        }
        byte[] first = take(MIB);
        pool.give(first);

        assertThat(take(MIB)).isSameAs(first);
        assertThat(pool.bytesOut()).isEqualTo((out.size() + 1L) * MIB);
    }

    @Test
    void keepsNoMoreThanHalfOfWhatMayBeOut() {
        List<byte[]> first = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            first.add(take(MIB));
        }
        first.forEach(pool::give);

        assertThat(pool.bytesOut()).isZero();
        assertThat(pool.bytesKept()).isBetween(3L * MIB, 4L * MIB);
    }

    @Test
    void whatLiesIdleMakesRoomForWhatGoesOut() {
        List<byte[]> small = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            small.add(take(MIB / 8));
        }
        small.forEach(pool::give);
        for (int i = 0; i < 7; i++) {
            take(MIB);
        }

        assertThat(pool.bytesOut()).isEqualTo(7L * MIB);
        assertThat(pool.bytesOut() + pool.bytesKept()).isLessThanOrEqualTo(8L * MIB);
    }

    @Test
    void sizesOutOfUseMakeRoomForThoseInUse() {
        List<byte[]> small = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            small.add(take(MIB / 8));
        }
        small.forEach(pool::give);
        assertThat(pool.bytesKept()).isGreaterThan(4L * MIB - MIB / 8);

        byte[] large = take(MIB);
        pool.give(large);

        assertThat(take(MIB)).isSameAs(large);
    }

    @Test
    void dropsWhatIsLargerThanAllThatItKeeps() {
        BodyPool narrow = new BodyPool(MIB, MIB + MIB / 2);
        narrow.give(take(narrow, MIB));

        assertThat(narrow.bytesKept()).isLessThanOrEqualTo(MIB - MIB / 4);
        assertThat(narrow.bytesOut()).isZero();
    }
}
