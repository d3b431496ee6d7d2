package io.chimera.processor.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FunctionTest {
    private static Function of(String name) {
        return Function.of(List.of(name)).get(0);
    }

    @Test
    void digitsOfAQuantileStandBehindThePoint() {
        assertThat(of("p50")).isEqualTo(new Function("p50", Function.Kind.QUANTILE, -1, 0.5));
        assertThat(of("p05").argument()).isEqualTo(0.05);
        assertThat(of("p999").argument()).isEqualTo(0.999);
        assertThat(of("p99999").argument()).isEqualTo(0.99999);
    }

    @Test
    void topShowsTenTextsUnlessItsNameSaysHowMany() {
        assertThat(of("top")).isEqualTo(new Function("top", Function.Kind.TOP, -1, 10));
        assertThat(of("top3").argument()).isEqualTo(3);
        assertThat(of("top100").argument()).isEqualTo(100);
    }

    @Test
    void whatCouldBeTakenForSomethingElseIsNoBuiltInFunction() {
        for (String name : List.of("p5", "p00", "p100", "p990", "p", "p9999999", "top0", "top01", "top101", "top-1")) {
            assertThat(of(name).kind()).as(name).isEqualTo(Function.Kind.PLUGIN);
        }
    }
}
