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
        catalog.toldEmpty(List.of()); // to another one; the first still counts
        catalog.touch(new SpanRange(5, 5), 0);
        assertThat(catalog.isLate()).isFalse();

        catalog.touch(new SpanRange(4, 5), 0);
        assertThat(catalog.isLate()).isTrue();
        assertThat(catalog.takeLate()).isEmpty();
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
        assertThat(catalog.takeLate()).containsExactly(5L);
        assertThat(catalog.holds(told)).isFalse();
        assertThat(catalog.newestFirst(5).iterator().next().holder()).isEqualTo(OwnSpan.NOBODY);
    }

    @Test
    void doesNotShareGroupsOverManySpans() {
        catalog.touch(new SpanRange(5, 5), 0);
        catalog.all().forEach(OwnSpan::told);
        catalog.touch(new SpanRange(0, 1_000_000_000_000L), 0);

        assertThat(catalog.takeLate()).containsExactly(5L);
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
    void uniteRanges() {
        assertThat(SpanRange.union(
                        List.of(new SpanRange(Long.MIN_VALUE, 3), new SpanRange(8, 9)), List.of(new SpanRange(4, 5))))
                .containsExactly(new SpanRange(Long.MIN_VALUE, 5), new SpanRange(8, 9));
    }
}
