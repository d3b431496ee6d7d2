package io.chimera.apps.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.common.agent.ManualClock;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.MemoryJournal;
import io.chimera.queue.journal.SyncPolicy;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class JournalTapTest {
    @Test
    void showsTheLastPointsOfItsStream() {
        MemoryJournal journal = new MemoryJournal(SyncPolicy.NONE, 1, new ManualClock());
        Batches batches = new Batches();
        JournalTap tap = new JournalTap(journal, 0xA);
        assertThat(tap.sample(10)).isEmpty();

        batches.append(journal, 0xA, 1, 5);
        batches.append(journal, 0xB, 1, 5);
        batches.append(journal, 0xA, 6, 3);

        assertThat(tap.sample(4))
                .containsExactly(
                        "cpu,host=a value=5i 5",
                        "cpu,host=a value=6i 6",
                        "cpu,host=a value=7i 7",
                        "cpu,host=a value=8i 8");
        assertThat(tap.sample(100)).hasSize(8);
    }

    @Test
    void writesAPointAsLineProtocol() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("a", 1L);
        fields.put("b", 1.5);
        fields.put("c", true);
        fields.put("d e", new BigInteger("18446744073709551615"));
        fields.put("f", "say \"hi\" \\");
        DataPoint point = new DataPoint(
                new SeriesKey("cpu load,x", new Tags(new TreeMap<>(Map.of("host", "a b", "re=gion", "eu,1")))),
                fields,
                7);

        assertThat(JournalTap.line(point))
                .isEqualTo("cpu\\ load\\,x,host=a\\ b,re\\=gion=eu\\,1 a=1i,b=1.5,c=true,d\\ e=18446744073709551615u,"
                        + "f=\"say \\\"hi\\\" \\\\\" 7");
    }
}
