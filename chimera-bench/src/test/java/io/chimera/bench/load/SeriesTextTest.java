package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SeriesTextTest {
    @Test
    void aLineHasSoManyTagsAndTwoFields() {
        assertThat(lines(new SeriesText(10, 1), 0).get(0))
                .isEqualTo("scale,host=host_00000000 usage_user=0000i,usage_system=0000i 1700000000000000000");
        assertThat(lines(new SeriesText(1_000, 3), 0).get(123))
                .isEqualTo("scale,host=host_00000123,rack=rack_23,tag_02=value_02"
                        + " usage_user=0123i,usage_system=0861i 1700000000000000000");
        assertThat(lines(new SeriesText(10, 64), 0).get(0).split(" ", -1)[0].split(",", -1))
                .hasSize(1 + 64);
    }

    @Test
    void allSeriesComeInTurnAcrossBodies() {
        SeriesText text = new SeriesText(4_000, 2);
        List<String> lines = new ArrayList<>(lines(text, 0));
        lines.addAll(lines(text, 1));

        assertThat(lines.subList(0, 4_000).stream().map(line -> line.split(" ", -1)[0]))
                .doesNotHaveDuplicates();
        assertThat(lines.get(4_000)).startsWith("scale,host=host_00000000,");
    }

    @Test
    void aBodyHasAtMostAMegabyte() {
        Feed feed = new SeriesText(10, 64).feed();

        assertThat(feed.bodies().body(0).remaining()).isLessThanOrEqualTo(1 << 20);
        assertThat(lines(feed.bodies().body(7))).hasSize(feed.bodyPoints());
    }

    private static List<String> lines(SeriesText text, long body) {
        return lines(text.body(body));
    }

    private static List<String> lines(ByteBuffer body) {
        return US_ASCII.decode(body).toString().lines().toList();
    }
}
