package io.chimera.queue.journal.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of the small files beside the journal, which later releases must read. */
final class JournalFormatTest {
    @TempDir
    private Path folder;

    @Test
    void writesTheLowWaterMarkWithItsChecksum() throws IOException {
        Positions mark = Positions.copyOf(Map.of(-7L, 70L, 3L, 0L, 0x7fff_ffff_ffff_ffffL, 1L));
        LowWaterFile file = new LowWaterFile(folder);
        file.write(mark);

        assertThat(Files.readString(folder.resolve(LowWaterFile.NAME)).strip()).isEqualTo("""
                {
                  "mark" : {
                    "fffffffffffffff9" : 70,
                    "0000000000000003" : 0,
                    "7fffffffffffffff" : 1
                  },
                  "crc32c" : "5df4987c"
                }""");
        assertThat(file.read()).contains(mark);
    }

    @Test
    void writesALineForEachCycle() throws IOException {
        Positions before = Positions.of(-7, 0, 3, 9);
        Positions cut = Positions.of(-7, 70, 3, 10);
        PastCycle cycle = new PastCycle(5, new CycleTime(200, 190), 2, before, cut);
        try (CycleFile file = CycleFile.open(folder)) {
            file.note(cycle);

            assertThat(file.lines(any -> true)).isEqualTo("""
                    fa24c4f7 {"cycle":5,"time_ms":200,"clock_ms":190,"parts":2,\
                    "streams":{"fffffffffffffff9":[0,70],"0000000000000003":[9,10]}}
                    """);
            assertThat(CycleFile.decodeAll(file.lines(any -> true))).isEqualTo(List.of(cycle));
        }
    }
}
