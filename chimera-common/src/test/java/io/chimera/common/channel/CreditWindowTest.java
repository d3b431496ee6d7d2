package io.chimera.common.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CreditWindowTest {
    private final CreditWindow credit = new CreditWindow();

    @Test
    void takesNoMoreThanWasGranted() {
        assertThat(credit.take(1)).isFalse();
        assertThat(credit.grant(10)).isTrue();
        assertThat(credit.take(11)).isFalse();
        assertThat(credit.take(10)).isTrue();
        assertThat(credit.take(1)).isFalse();
    }

    @Test
    void refusesGrantsBeyondTheWindow() {
        assertThat(credit.grant(CreditWindow.BYTES)).isTrue();
        assertThat(credit.grant(1)).isFalse();
        assertThat(credit.grant(-1)).isFalse();
        assertThat(credit.take(1)).isTrue();
        assertThat(credit.grant(1)).isTrue();
        assertThat(credit.grant(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void refusesFramesBeyondTheCredit() {
        assertThat(credit.receive(CreditWindow.BYTES)).isTrue();
        assertThat(credit.receive(1)).isFalse();
        credit.consume(1);
        assertThat(credit.receive(1)).isFalse();
        assertThat(credit.collect()).isOne();
        assertThat(credit.receive(1)).isTrue();
    }

    @Test
    void asksForCollectionFromTheMinimumOn() {
        int least = CreditWindow.RETURN_BYTES;
        credit.receive(CreditWindow.BYTES);
        assertThat(credit.consume(least - 1)).isFalse();
        assertThat(credit.consume(1)).isTrue();
        assertThat(credit.collect()).isEqualTo(least);
        assertThat(credit.consume(1)).isFalse();
    }

    @Test
    void isReturnedUnlessMoreIsOutThanAReceiverHoldsBack() {
        int least = CreditWindow.RETURN_BYTES;
        credit.grant(CreditWindow.BYTES);
        assertThat(credit.isReturned()).isTrue();
        credit.take(least - 1);
        assertThat(credit.isReturned()).isTrue();
        credit.take(1);
        assertThat(credit.isReturned()).isFalse();
        credit.grant(least);
        assertThat(credit.isReturned()).isTrue();
    }

    @Test
    void leavesRoomForTheLargestFrameWhateverIsHeldBack() {
        assertThat(CreditWindow.BYTES - CreditWindow.RETURN_BYTES).isGreaterThanOrEqualTo(Transport.FRAME_LENGTH_MAX);
    }

    @Test
    void failsWhenMoreIsGivenBackThanCame() {
        credit.receive(1);
        credit.consume(2);
        assertThatThrownBy(credit::collect).isInstanceOf(IllegalStateException.class);
    }
}
