package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.load.PointSeries;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LineParserTest {
    private static final int POINTS = 50;
    private static final int SERIES = 7;

    private final LineParser parser = new LineParser();

    @Test
    void ordersTagsByTheirNames() {
        Point point = parser.parse(bytes("cpu,b=2,a=1,ab=3 x=1i 5\n"), 0);

        assertThat(point.key).isEqualTo("cpu,a=1,ab=3,b=2");
        assertThat(point.timeNs).isEqualTo(5);
    }

    @Test
    void readsIntegersDecimalsAndSigns() {
        Point point = parser.parse(bytes("m,t=v a=12i,b=-3.25,c=7,d=-0.05 1700000000000000000\n"), 0);

        assertThat(point.fields).containsExactly("a", "b", "c", "d");
        assertThat(point.values).containsExactly(12, -3.25, 7, -0.05);
        assertThat(point.timeNs).isEqualTo(1_700_000_000_000_000_000L);
    }

    @Test
    void noticesOtherFieldsThanBefore() {
        parser.parse(bytes("m a=1i,b=2i 1\n"), 0);

        assertThat(parser.parse(bytes("m a=1i,c=2i 1\n"), 0).fields).containsExactly("a", "c");
        assertThat(parser.parse(bytes("m a=1i 1\n"), 0).fields).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource(PointShape.class)
    void findsInTheTextWhatItWasWrittenFrom(PointShape shape) {
        byte[] lines = new PointText(shape, SERIES, PointText.SEED).lines(POINTS);
        PointSeries series = new PointSeries(shape, SERIES, PointText.SEED);

        for (int i = 0; i < POINTS; i++) {
            Point point = parser.parse(lines, i * shape.lineLength());

            assertThat(point.key).isEqualTo(series.key(i % SERIES));
            assertThat(point.fields).containsExactlyElementsOf(series.fields());
            for (int field = 0; field < point.values.length; field++) {
                assertThat(point.values[field]).isEqualTo(series.value(i, field));
            }
        }
    }

    private static byte[] bytes(String line) {
        return line.getBytes(US_ASCII);
    }
}
