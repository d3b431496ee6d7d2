package io.chimera.queue.parser.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.BodyLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class LabelSetTest {
    private static final int NAME_LENGTH = 8;
    private static final byte NOT_UTF8 = (byte) 0xFF;

    private final byte[] bytes = Arrays.copyOf("__name__m".getBytes(StandardCharsets.US_ASCII), 1 << 17);
    private final LabelSet labels = new LabelSet();

    private void openWithMetric() {
        labels.open(bytes);
        labels.add(0, NAME_LENGTH, NAME_LENGTH, 1);
    }

    @Test
    void readsTheTextsOncePerSeries() {
        openWithMetric();
        assertThat(labels.check()).isNull();

        bytes[NAME_LENGTH] = NOT_UTF8;

        assertThat(labels.check()).isNull();
        openWithMetric();
        assertThat(labels.check()).isEqualTo(RemoteWriteError.NOT_UTF8);
        bytes[NAME_LENGTH] = 'm';
        assertThat(labels.check()).isEqualTo(RemoteWriteError.NOT_UTF8);
    }

    /** The texts are not UTF-8, so a check of the texts would find another defect. */
    @Test
    void refusesALongTextWithoutReadingTheText() {
        Arrays.fill(bytes, NAME_LENGTH + 1, bytes.length, NOT_UTF8);
        openWithMetric();
        labels.add(NAME_LENGTH + 1, 1, NAME_LENGTH + 2, LabelSet.TEXT_LENGTH_MAX);
        assertThat(labels.check()).isEqualTo(RemoteWriteError.NOT_UTF8);

        openWithMetric();
        labels.add(NAME_LENGTH + 1, 1, NAME_LENGTH + 2, LabelSet.TEXT_LENGTH_MAX + 1);
        assertThat(labels.check()).isEqualTo(RemoteWriteError.TOO_LONG);

        openWithMetric();
        labels.add(NAME_LENGTH + 1, LabelSet.TEXT_LENGTH_MAX + 1, NAME_LENGTH + 2, 1);
        assertThat(labels.check()).isEqualTo(RemoteWriteError.TOO_LONG);
    }

    @Test
    void boundsTheSumOfTheLengths() {
        openWithMetric();
        for (int i = 0; i < 60; i++) {
            labels.add(0, 1 + i, 0, LabelSet.TEXT_LENGTH_MAX);
        }

        assertThat(labels.check()).isEqualTo(RemoteWriteError.TOO_LONG);
        assertThat(labels.textLength()).isPositive().isLessThanOrEqualTo(BodyLayout.LENGTH_MAX);
    }

    @Test
    void staysPositiveForLengthsWithAnOverflowingSum() {
        openWithMetric();
        for (int i = 0; i < 60; i++) {
            labels.add(0, 1, 0, Integer.MAX_VALUE);
        }

        assertThat(labels.textLength()).isEqualTo(NAME_LENGTH + 1);
        assertThat(labels.metricLength()).isEqualTo(1);
    }
}
