package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeliveryTest {
    private final List<String> done = new ArrayList<>();
    private final Delivery delivery = new Delivery() {
        @Override
        void done(String reason) {
            done.add(String.valueOf(reason));
        }
    };

    @Test
    void isDoneAtOnceWhenNothingWasPublished() {
        delivery.complete();
        assertThat(done).containsExactly("null");
    }

    @Test
    void waitsForTheSourceAndForEverySlot() {
        delivery.published();
        delivery.journaled();
        delivery.published();
        assertThat(done).isEmpty();
        delivery.complete();
        assertThat(done).isEmpty();
        delivery.journaled();
        assertThat(done).containsExactly("null");
    }

    @Test
    void failsWhenOneSlotFails() {
        delivery.published();
        delivery.published();
        delivery.failed("disk");
        delivery.complete();
        assertThat(done).isEmpty();
        delivery.journaled();
        assertThat(done).containsExactly("disk");
    }

    @Test
    void abandonedFailsAtOnceAndOnlyOnce() {
        delivery.published();
        delivery.abandon("full");
        assertThat(done).containsExactly("full");
        delivery.journaled();
        delivery.complete();
        assertThat(done).hasSize(1);
    }
}
