package io.chimera.bench.archive.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests the parsing of program output. */
final class SaidTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-6);

    @Test
    void theWriterOfLogsTellsBytesByTimeAndItsLongestCall() {
        StringBuilder said = new StringBuilder();
        for (int bucket = 0; bucket < 40; bucket++) {
            said.append(bucket < 20 ? DiskSite.MIB : 2 * DiskSite.MIB).append('\n');
        }
        Pace pace = LogFiles.parse("logs", said + "longest 1500\nend 4000\n");
        assertThat(pace.meanMib()).isCloseTo(15, CLOSE);
        assertThat(pace.worstSecondMib()).isCloseTo(20, CLOSE);
        assertThat(pace.bestSecondMib()).isCloseTo(39, Offset.offset(1.0));
        assertThat(pace.longestMs()).isCloseTo(1.5, CLOSE);
    }

    @Test
    void fioTellsItsRateOrItsError() throws IOException {
        String start = "3;fio-3.33;raw;0;";
        String line = "0;".repeat(42) + "409600;1;";
        assertThat(Fio.parse("fio: something\n" + start + "0;" + line)).isCloseTo(400, CLOSE);
        assertThatThrownBy(() -> Fio.parse(start + "5;" + line)).hasMessageContaining("error 5");
        assertThatThrownBy(() -> Fio.parse("no such device")).hasMessageContaining("no such device");
    }
}
