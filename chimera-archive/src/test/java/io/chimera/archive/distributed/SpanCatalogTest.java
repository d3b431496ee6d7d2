package io.chimera.archive.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpanCatalogTest {
    private final SpanCatalog catalog = new SpanCatalog();

    @Test
    void saysOfWhichSpansThereIsNothing() {
        catalog.touch(new SpanRange(5, 6), 0);
        catalog.touch(new SpanRange(10, 10), 0);

        assertThat(catalog.empties(20))
                .containsExactly(new SpanRange(Long.MIN_VALUE, 4), new SpanRange(7, 9), new SpanRange(11, 20));
    }

    @Test
    void takesBackWhatComesForATimeThatWasToldEmpty() {
        catalog.toldEmpty(List.of(new SpanRange(Long.MIN_VALUE, 4)));
        catalog.toldEmpty(List.of()); // to another node; the first statement still counts
        catalog.touch(new SpanRange(5, 5), 0);
        assertThat(catalog.isLate()).isFalse();

        catalog.touch(new SpanRange(4, 5), 0);
        assertThat(catalog.isLate()).isTrue();
        assertThat(catalog.takeLate().spans()).isEmpty();
        assertThat(catalog.isTold(4)).isFalse();
    }

    @Test
    void takesBackWhatComesForASpanThatWasTold() {
        catalog.touch(new SpanRange(5, 6), 0);
        OwnSpan told = catalog.newestFirst(5).iterator().next();
        told.told();
        told.heldBy(7);
        catalog.touch(new SpanRange(6, 6), 0);
        assertThat(catalog.isLate()).isFalse();

        catalog.touch(new SpanRange(5, 5), 0);
        assertThat(catalog.takeLate().spans()).containsExactly(5L);
        assertThat(catalog.holds(told)).isFalse();
        assertThat(catalog.newestFirst(5).iterator().next().holder()).isEqualTo(OwnSpan.NOBODY);
    }

    @Test
    void aGroupThatGrowsTouchesOnlyItsNewSpans() {
        catalog.settled(5);
        catalog.touch(new SpanRange(5, 6), 0);
        assertThat(catalog.isQuiet(10, 10)).isTrue();
        catalog.touch(new SpanRange(5, 7), new SpanRange(5, 6), 10);
        assertThat(catalog.isQuiet(10, 10))
                .as("nothing came for a settled span")
                .isTrue();
        assertThat(catalog.empties(7)).containsExactly(new SpanRange(Long.MIN_VALUE, 4));

        catalog.touch(new SpanRange(3, 7), new SpanRange(5, 7), 20);
        assertThat(catalog.isQuiet(20, 10)).isFalse();
        assertThat(catalog.empties(7)).containsExactly(new SpanRange(Long.MIN_VALUE, 2));
        catalog.touch(new SpanRange(3, 100), new SpanRange(3, 7), 30);
        assertThat(catalog.isDark(3)).isTrue();
        assertThat(catalog.isDark(100)).isTrue();
    }

    @Test
    void tellsOfManyGapsTheNewest() {
        for (long i = 0; i <= 2 * SpanCatalog.EMPTIES_MAX; i++) {
            catalog.touch(new SpanRange(i * 5, i * 5), 0);
        }
        assertThat(catalog.empties(10L * SpanCatalog.EMPTIES_MAX))
                .hasSize(SpanCatalog.EMPTIES_MAX)
                .startsWith(new SpanRange(5L * SpanCatalog.EMPTIES_MAX + 1, 5L * SpanCatalog.EMPTIES_MAX + 4));
    }

    @Test
    void doesNotShareGroupsOverManySpans() {
        catalog.touch(new SpanRange(5, 5), 0);
        catalog.all().forEach(OwnSpan::told);
        catalog.touch(new SpanRange(0, 1_000_000_000_000L), 0);

        assertThat(catalog.takeLate().spans()).containsExactly(5L);
        assertThat(catalog.isDark(77)).isTrue();
        assertThat(catalog.empties(200)).containsExactly(new SpanRange(Long.MIN_VALUE, -1));
        for (int i = 0; i < 200; i++) {
            catalog.touch(new SpanRange(-i * 1_000L, -i * 1_000L + 100), 0);
        }
        assertThat(catalog.isDark(-199_000)).isTrue();
    }

    @Test
    void forgetsTheOldestSpansAndSaysNothingOfThem() {
        for (long span = 0; span < SpanCatalog.SPANS_MAX + 10; span++) {
            catalog.touch(new SpanRange(span, span), 0);
        }
        assertThat(catalog.all()).hasSize(SpanCatalog.SPANS_MAX);
        assertThat(catalog.isTold(3)).as("it may have been").isTrue();
        assertThat(catalog.empties(SpanCatalog.SPANS_MAX + 100).get(0).first()).isGreaterThan(SpanCatalog.SPANS_MAX);
    }

    @Test
    void takesBackAllOfAllWhereAWideGroupMeetsForgottenSpansThatWereTold() {
        catalog.touch(new SpanRange(0, 0), 0);
        catalog.all().forEach(OwnSpan::told);
        for (long span = 0; span < SpanCatalog.SPANS_MAX + 10; span++) {
            catalog.touch(new SpanRange(span + 1, span + 1), 0);
        }
        assertThat(catalog.isLate()).isFalse();
        catalog.touch(new SpanRange(-100, 100), 0);
        assertThat(catalog.takeLate().isOfForgotten()).isTrue();

        catalog.touch(new SpanRange(-100, 100), 0);
        assertThat(catalog.isLate()).as("nothing of it counts any more").isFalse();
    }

    @Test
    void mergesTheNearestOfManyWideGroupsOnly() {
        for (int i = 0; i < 100; i++) {
            catalog.touch(new SpanRange(i * 40L, i * 40L + 20), 0);
        }
        catalog.touch(new SpanRange(1_000_000, 1_000_100), 0);

        assertThat(catalog.isDark(3_000)).isTrue();
        assertThat(catalog.isDark(1_000_050)).isTrue();
        assertThat(catalog.isDark(500_000)).as("far from all").isFalse();
    }

    @Test
    void findsTheSpansThatAUnionHolds() {
        List<SpanRange> union = List.of(new SpanRange(Long.MIN_VALUE, 3), new SpanRange(8, 9), new SpanRange(11, 11));
        for (long span = 0; span < 14; span++) {
            assertThat(SpanRange.holds(union, span)).isEqualTo(span <= 3 || span == 8 || span == 9 || span == 11);
        }
        assertThat(SpanRange.holds(List.of(), 0)).isFalse();
    }

    @Test
    void uniteRanges() {
        assertThat(SpanRange.union(
                        List.of(new SpanRange(Long.MIN_VALUE, 3), new SpanRange(8, 9)), List.of(new SpanRange(4, 5))))
                .containsExactly(new SpanRange(Long.MIN_VALUE, 5), new SpanRange(8, 9));
    }
}
