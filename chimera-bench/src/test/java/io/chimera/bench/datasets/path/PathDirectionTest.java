package io.chimera.bench.datasets.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PathDirectionTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MEGABYTE = 1_000_000;

    /** One way takes 42 ms; a byte takes 1 µs on the link. */
    private static final PathModel FAR = new PathModel(Duration.ofMillis(84), MEGABYTE, PathModel.WINDOW_AUTOTUNED);

    private final PathLink link = new PathLink(FAR, 0);

    @Test
    void bytesArriveAfterTheirTimeOnTheLinkAndOneWay() {
        PathDirection direction = new PathDirection(FAR, link, 0);
        direction.enter(ByteBuffer.allocate(1_000), 0);

        assertThat(direction.nextArrivalNs()).isEqualTo(43 * MS);
        assertThat(direction.arrived(43 * MS - 1)).isNull();
        assertThat(direction.arrived(43 * MS)).isNotNull();
    }

    @Test
    void theFirstByteWaitsForTheHandshake() {
        PathDirection direction = new PathDirection(FAR, link, 126 * MS);
        direction.enter(ByteBuffer.allocate(1), 0);

        assertThat(direction.nextArrivalNs()).isEqualTo(126 * MS);
    }

    @Test
    void connectionsShareTheRate() {
        PathDirection one = new PathDirection(FAR, link, 0);
        PathDirection other = new PathDirection(FAR, link, 0);
        one.enter(ByteBuffer.allocate(2_000), 0);
        other.enter(ByteBuffer.allocate(2_000), 0);

        assertThat(one.nextArrivalNs()).isEqualTo(44 * MS);
        assertThat(other.nextArrivalNs()).isEqualTo(46 * MS);
    }

    @Test
    void theQueueOfTheLinkIsShort() {
        PathDirection direction = new PathDirection(FAR, link, 0);
        direction.enter(ByteBuffer.allocate(8_000), 0);

        assertThat(direction.room(0)).isZero();
        assertThat(direction.nextRoomNs(0)).isEqualTo(3 * MS);
        assertThat(direction.room(3 * MS)).isPositive();
    }

    @Test
    void theWindowDoublesWithEachRoundTripUpToItsMaximum() {
        PathModel fast = new PathModel(Duration.ofMillis(84), 1_000 * MEGABYTE, 40_000);
        PathDirection direction = new PathDirection(fast, new PathLink(fast, 0), 0);
        long nowNs = 0;
        int first = fill(direction, nowNs);
        nowNs = roundTrip(direction, nowNs);
        int second = fill(direction, nowNs);
        nowNs = roundTrip(direction, nowNs);
        int third = fill(direction, nowNs);

        assertThat(first).isEqualTo(PathModel.WINDOW_INITIAL);
        assertThat(second).isEqualTo(2 * PathModel.WINDOW_INITIAL);
        assertThat(third).isEqualTo(40_000);
    }

    @Test
    void bytesWithoutAnAcknowledgementFillTheWindow() {
        PathModel fast = new PathModel(Duration.ofMillis(84), 1_000 * MEGABYTE, PathModel.WINDOW_INITIAL);
        PathDirection direction = new PathDirection(fast, new PathLink(fast, 0), 0);
        fill(direction, 0);

        assertThat(direction.room(1_000 * MS)).isZero();
        assertThat(direction.nextRoomNs(1_000 * MS)).isEqualTo(PathDirection.NEVER);
        ByteBuffer arrived = direction.arrived(1_000 * MS);
        int length = arrived.remaining();
        arrived.position(length);
        direction.accepted(length, 1_000 * MS);
        assertThat(direction.isEmpty()).isTrue();
        assertThat(direction.room(1_000 * MS)).isZero();
        assertThat(direction.nextRoomNs(1_000 * MS)).isEqualTo(1_042 * MS);
        assertThat(direction.room(1_042 * MS)).isEqualTo(PathModel.WINDOW_INITIAL);
    }

    @Test
    void aModelHasBounds() {
        assertThat(PathModel.of(84, 100).bytesPerSecond()).isEqualTo(12_500_000);
        assertThatThrownBy(() -> PathModel.of(-1, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PathModel.of(60_001, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PathModel.of(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PathModel(Duration.ZERO, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int fill(PathDirection direction, long nowNs) {
        int sum = 0;
        for (int room = direction.room(nowNs); room > 0; room = direction.room(nowNs)) {
            direction.enter(ByteBuffer.allocate(room), nowNs);
            sum += room;
        }
        return sum;
    }

    /** Accepts all bytes; returns the time at which all acknowledgements are back. */
    private static long roundTrip(PathDirection direction, long nowNs) {
        long lastNs = nowNs;
        while (!direction.isEmpty()) {
            lastNs = direction.nextArrivalNs();
            ByteBuffer arrived = direction.arrived(lastNs);
            int length = arrived.remaining();
            arrived.position(length);
            direction.accepted(length, lastNs);
        }
        return lastNs + 42 * MS;
    }
}
