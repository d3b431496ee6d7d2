package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.Source;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** A correct source passes the contract, and every violation is found. */
final class SourceContractTest {
    private static final List<String> NUMBERS = List.of("one", "two", "three", "four", "five");

    /** A queue that outlives the sources. */
    private static final class Queue {
        private int committed;
    }

    /** Emits two numbers per poll. */
    private static class Numbers implements Source {
        final Queue queue;
        int next;

        Numbers(Queue queue) {
            this.queue = queue;
            next = queue.committed;
        }

        @Override
        public String name() {
            return "numbers";
        }

        @Override
        public boolean poll(PointBuilder out) {
            int end = Math.min(NUMBERS.size(), next + 2);
            boolean more = next < end;
            for (; next < end; next++) {
                out.metric("number")
                        .tag("of", "kit")
                        .field("text", NUMBERS.get(next))
                        .end();
            }
            return more;
        }

        @Override
        public void journaled() {
            queue.committed = next;
        }
    }

    private abstract static class OfNumbers extends SourceContract {
        final Queue queue = new Queue();

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected boolean keepsPositions() {
            return true;
        }
    }

    @Nested
    final class Good extends OfNumbers {
        @Override
        protected Source source() {
            return new Numbers(queue);
        }
    }

    private static OfNumbers of(java.util.function.Function<Queue, Source> maker) {
        return new OfNumbers() {
            @Override
            protected Source source() {
                return maker.apply(queue);
            }
        };
    }

    @Test
    void findsAPositionThatMovesBeforeThePointsAreSafe() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            @Override
            public boolean poll(PointBuilder out) {
                boolean more = super.poll(out);
                journaled();
                return more;
            }
        });

        assertThrows(AssertionFailedError.class, kit::givesAgainWhatWasNotJournaled);
    }

    @Test
    void findsAPositionThatNeverMoves() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            @Override
            public void journaled() {}
        });

        assertThrows(AssertionFailedError.class, kit::goesOnBehindWhatWasJournaled);
    }

    @Test
    void findsAPositionThatMovesTooFar() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            @Override
            public void journaled() {
                super.journaled();
                queue.committed++;
            }
        });

        assertThrows(AssertionFailedError.class, kit::goesOnBehindWhatWasJournaled);
    }

    @Test
    void findsAPollThatSaysTrueForNothing() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            @Override
            public boolean poll(PointBuilder out) {
                super.poll(out);
                return true;
            }
        });

        assertThrows(AssertionFailedError.class, kit::goesOnBehindWhatWasJournaled);
    }

    @Test
    void findsPointsThatAreMadeOutsideOfAPoll() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            private PointBuilder kept;

            @Override
            public boolean poll(PointBuilder out) {
                kept = out;
                return super.poll(out);
            }

            @Override
            public void journaled() {
                kept.metric("late").field("value", 1).end();
            }
        });

        assertThrows(IllegalStateException.class, kit::givesPoints);
    }

    @Test
    void findsAnInstanceThatCannotBeClosedBeforeItIsOpened() {
        SourceContract kit = of(queue -> new Numbers(queue) {
            @Override
            public void close() {
                throw new IllegalStateException("not open");
            }
        });

        assertThrows(AssertionFailedError.class, kit::canBeClosedThoughItWasNeverOpened);
    }
}
