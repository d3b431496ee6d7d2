package io.chimera.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.load.PointSeries;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.peers.job.Aggregate;
import io.chimera.bench.peers.job.LineParser;
import io.chimera.bench.peers.job.Point;
import io.chimera.bench.peers.job.ResultTable;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ExpectedTest {
    private static final int SERIES = 5;
    private static final int POINTS = 100;
    private static final int PASSES = 3;

    @ParameterizedTest
    @EnumSource(PointShape.class)
    void equalsWhatParsingAndFoldingTheTextGives(PointShape shape) {
        assertThat(expected(shape).differences(folded(shape, POINTS))).isEmpty();
    }

    @Test
    void seesAPointThatIsMissing() {
        assertThat(expected(PointShape.TEN_FIELDS).differences(folded(PointShape.TEN_FIELDS, POINTS - 1)))
                .isNotEmpty()
                .allSatisfy(difference -> assertThat(difference).contains("hostname=host_0004"));
    }

    @Test
    void seesAPointThatIsCountedTwice() {
        ResultTable results = folded(PointShape.TEN_FIELDS, POINTS);
        results.total(series(PointShape.TEN_FIELDS).key(2), "usage_user").add(1, 50, 50, 50, 50, 0);

        assertThat(expected(PointShape.TEN_FIELDS).differences(results))
                .singleElement()
                .asString()
                .startsWith("usage_user of cpu,arch=x64,");
    }

    @Test
    void seesAKeyTooMany() {
        ResultTable results = folded(PointShape.TEN_FIELDS, POINTS);
        results.total("cpu,x=y", "usage_user").add(1, 50, 50, 50, 50, 0);

        assertThat(expected(PointShape.TEN_FIELDS).differences(results))
                .containsExactly("6 keys instead of 5, or other keys");
    }

    private static Expected expected(PointShape shape) {
        return new Expected(series(shape), POINTS, PASSES);
    }

    private static PointSeries series(PointShape shape) {
        return new PointSeries(shape, SERIES, PointText.SEED);
    }

    private static ResultTable folded(PointShape shape, int points) {
        byte[] lines = new PointText(shape, SERIES, PointText.SEED).lines(POINTS);
        LineParser parser = new LineParser();
        ResultTable table = new ResultTable();
        for (int pass = 0; pass < PASSES; pass++) {
            Map<String, Aggregate> groups = new HashMap<>();
            for (int i = 0; i < points; i++) {
                Point point = parser.parse(lines, i * shape.lineLength());
                groups.computeIfAbsent(point.key, absent -> new Aggregate()).add(point);
            }
            groups.forEach((key, group) -> table.add(group.result(key, 0)));
        }
        return table;
    }
}
