package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class LineProtocolTest {
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

        assertThat(LineProtocol.line(point))
                .isEqualTo("cpu\\ load\\,x,host=a\\ b,re\\=gion=eu\\,1 a=1i,b=1.5,c=true,d\\ e=18446744073709551615u,"
                        + "f=\"say \\\"hi\\\" \\\\\" 7");
    }
}
