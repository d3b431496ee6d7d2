package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.Slot;
import io.chimera.queue.source.reject.RejectList;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RingPointSinkTest {
    private static final int SLOT_LENGTH = 1024;
    private static final byte[] NAME = "metric".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private SourceRig rig;
    private RingPointSink sink;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, SLOT_LENGTH);
        sink = rig.sink();
        sink.open(null, null, 77);
    }

    /** Writes a point with an assumed text length. */
    private boolean write(long value, int textLength) {
        if (!sink.begin(textLength)) {
            return false;
        }
        sink.metric(NAME, 0, NAME.length);
        sink.field(NAME, 0, NAME.length, FieldType.LONG.code(), value);
        assertThat(sink.end()).isEqualTo(PointSink.OK);
        return true;
    }

    @Test
    void keepsPointsUntilTheyAreFlushed() {
        write(1, 10);
        write(2, 10);
        assertThat(rig.takeSlots()).isZero();

        sink.flush();

        assertThat(rig.takeSlots()).isEqualTo(1);
        assertThat(rig.values("metric")).containsExactly(1L, 2L);
        assertThat(rig.points.get(0).timeNs()).isEqualTo(77);
        assertThat(rig.count(QueueCounter.PARSER_POINTS)).isEqualTo(2);
        assertThat(rig.count(QueueCounter.SOURCE_BATCHES)).isEqualTo(1);
    }

    @Test
    void aRecordNeverStraddlesSlots() {
        for (int i = 0; i < 20; i++) {
            assertThat(write(i, 60)).isTrue();
        }
        sink.flush();

        assertThat(rig.takeSlots()).isGreaterThan(1);
        assertThat(rig.values("metric")).hasSize(20).isSorted();
    }

    @Test
    void refusesAPointWhenTheRingIsFullAndHoldsNoSlotMeanwhile() {
        int written = 0;
        while (write(written, 120)) {
            written++;
        }
        assertThat(rig.ring.used()).isEqualTo(4);
        assertThat(rig.count(QueueCounter.SOURCE_RING_FULL)).isEqualTo(1);

        assertThat(rig.takeSlots()).isEqualTo(4);
        assertThat(rig.points).hasSize(written);
        assertThat(write(written, 120)).isTrue();
        sink.flush();
        rig.takeSlots();
        assertThat(rig.points).hasSize(written + 1);
    }

    @Test
    void refusesARecordLargerThanASlot() {
        byte[] text = new byte[SLOT_LENGTH];
        assertThat(sink.begin(text.length)).isTrue();
        sink.metric(NAME, 0, NAME.length);
        sink.textField(NAME, 0, NAME.length, text, 0, text.length);

        assertThat(sink.end()).isEqualTo(PointSink.TOO_LONG);
        assertThat(write(5, 10)).isTrue();
        sink.flush();
        rig.takeSlots();
        assertThat(rig.values("metric")).containsExactly(5L);
    }

    @Test
    void aPointThatWasBegunAndNotEndedLeavesNoTrace() {
        assertThat(sink.begin(10)).isTrue();
        sink.metric(NAME, 0, NAME.length);
        write(1, 10);
        assertThat(sink.begin(10)).isTrue();
        sink.flush();

        rig.takeSlots();
        assertThat(rig.values("metric")).containsExactly(1L);
    }

    @Test
    void publishesASlotThatStayedEmpty() {
        assertThat(sink.begin(10)).isTrue();
        assertThat(sink.end()).isEqualTo(PointSink.NO_METRIC);

        sink.flush();

        assertThat(rig.takeSlots()).isEqualTo(1);
        assertThat(rig.points).isEmpty();
        assertThat(rig.ring.used()).isZero();
    }

    @Test
    void everySlotOfARequestCarriesItsDelivery() {
        List<String> done = new ArrayList<>();
        Delivery delivery = new Delivery() {
            @Override
            void done(String reason) {
                done.add(String.valueOf(reason));
            }
        };
        sink.open(delivery, null, 0);
        for (int i = 0; i < 30; i++) {
            assertThat(write(i, 120)).isTrue();
        }
        sink.flush();
        delivery.complete();

        int slots = rig.takeSlots();
        assertThat(slots).isGreaterThan(1);
        assertThat(rig.completions).hasSize(slots).containsOnly(delivery);
        for (int i = 0; i < slots; i++) {
            assertThat(done).isEmpty();
            rig.completions.get(i).journaled();
        }
        assertThat(done).containsExactly("null");
    }

    @Test
    void forgetsTheDeliveryOfARequestThatIsOver() {
        Delivery delivery = new Delivery() {
            @Override
            void done(String reason) {}
        };
        sink.open(delivery, null, 0);
        sink.flush();
        write(1, 10);
        sink.flush();

        rig.takeSlots();
        assertThat(rig.completions).isEmpty();
    }

    @Test
    void tellsOfRejectedPoints() {
        RejectList rejects = new RejectList(null);
        sink.open(null, rejects, 0);

        sink.reject(NAME, 1, 3, 9, "why");

        assertThat(rejects.count()).isEqualTo(1);
        assertThat(rejects.kept()).containsExactly(new RejectList.Reject(9, "why", "etr"));
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(1);
        assertThat(rig.deadLetters.doWork()).isEqualTo(1);
    }

    @Test
    void keepsTheFirstHundredRejectsAndCountsTheOthers() {
        RejectList rejects = new RejectList(null);
        byte[] text = "x".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 250; i++) {
            rejects.rejected(text, 0, text.length, i, "why");
        }

        assertThat(rejects.count()).isEqualTo(250);
        assertThat(rejects.kept()).hasSize(100);
        assertThat(rejects.kept().get(99).line()).isEqualTo(99);
        assertThat(rejects.kept().get(0).text()).isEqualTo("x".repeat(256) + "…");
    }

    @Test
    void allocatesNothing() {
        assertThat(AllocatedBytes.of(() -> {
                    sink.open(null, null, 1);
                    for (int i = 0; i < 100; i++) {
                        if (!sink.begin(120)) {
                            throw new AssertionError("There is room.");
                        }
                        sink.metric(NAME, 0, NAME.length);
                        sink.tag(NAME, 0, 1, NAME, 1, 2);
                        sink.field(NAME, 0, NAME.length, FieldType.LONG.code(), i);
                        sink.end();
                        rig.ring.poll(RingPointSinkTest::release, 4);
                    }
                    sink.reject(NAME, 0, 3, 1, "why");
                    sink.flush();
                    rig.ring.poll(RingPointSinkTest::release, 4);
                }))
                .isZero();
    }

    private static boolean release(Slot slot) {
        return slot.count() >= 0;
    }
}
