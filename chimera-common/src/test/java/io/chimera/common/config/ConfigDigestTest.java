package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.load.ConfigLoader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConfigDigestTest {
    private static final String BASE = """
        node: { http: 127.0.0.1:1 }
        inputs: { a: { http: 127.0.0.1:2 }, b: { http: 127.0.0.1:3 } }
        pipelines: { p: { inputs: [a], stores: [s] }, q: { stores: [t] } }
        stores: { s: {}, t: { url: "http://t:1" } }
        """;

    @Test
    void staysWhenAddressesOrOrderChange() {
        String digest = digest(BASE);

        assertThat(digest).matches("[0-9a-f]{64}");
        assertThat(digest("""
            pipelines: { q: { stores: [t], where: '*' }, p: { stores: [s], inputs: [a] } }
            stores: { s: { url: "http://elsewhere:1" }, t: {} }
            inputs: { b: { tcp: 127.0.0.1:9 }, a: { http: 127.0.0.1:8 } }
            cycle: { every: 1s }
            """)).isEqualTo(digest);
    }

    @Test
    void changesWithWhatDecidesTheContentOfACycle() {
        String digest = digest(BASE);

        assertThat(digest(BASE.replace("[a]", "[b]"))).isNotEqualTo(digest);
        assertThat(digest(BASE.replace("q: {", "r: {"))).isNotEqualTo(digest);
        assertThat(digest(BASE.replace("b: { http", "c: { http"))).isNotEqualTo(digest);
        assertThat(digest(BASE.replace("q: { ", "q: { where: 'x*', "))).isNotEqualTo(digest);
        assertThat(digest(BASE.replace("q: { ", "q: { aggregate: { late_after: 1s }, ")))
                .isNotEqualTo(digest);
        assertThat(digest(BASE.replace("q: { ", "q: { rows: { prefix: a. }, "))).isNotEqualTo(digest);
        assertThat(digest(BASE.replace("q: { ", "q: { rows: { tags: { a: b } }, ")))
                .isNotEqualTo(digest);
    }

    private static String digest(String yaml) {
        return new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of()).digest();
    }
}
