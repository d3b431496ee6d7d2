package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CrossChecksTest {
    @Test
    void refusesNamesThatLeadNowhere() {
        assertThat(problemsOf("""
                        inputs:
                          influx: { http: 0.0.0.0:8086 }
                        pipelines:
                          p:
                            inputs: [influx, inflix]
                            stores: [kairos]
                        """))
                .containsExactly(
                        "test.yaml:5: pipelines.p.inputs names the input 'inflix', which does not exist;"
                                + " known: influx.",
                        "test.yaml:6: pipelines.p.stores names the store 'kairos', which does not exist;"
                                + " none is configured.");
    }

    @Test
    void refusesAPipelineWithoutStoreAndAnInputWithoutListener() {
        assertThat(problemsOf("inputs:\n  i: {}\npipelines:\n  p: {}\n"))
                .containsExactly(
                        "test.yaml:2: inputs.i listens nowhere; give http, tcp or udp an address such as"
                                + " 0.0.0.0:8086.",
                        "test.yaml:4: pipelines.p.stores is empty; name at least one store, or its rows go nowhere.");
    }

    @Test
    void refusesTwoListenersOfOneNodeOnOneAddress() {
        assertThat(problemsOf("""
                        node: { role: queue, http: 127.0.0.1:8086 }
                        inputs:
                          a: { http: 0.0.0.0:8086, tcp: 127.0.0.1:7000 }
                          b: { http: 127.0.0.1:7000, udp: 127.0.0.1:7000 }
                        """))
                .containsExactly(
                        "test.yaml:3: inputs.a.http and node.http of this node both want 0.0.0.0:8086; give one of"
                                + " them another port.",
                        "test.yaml:4: inputs.b.http and inputs.a.tcp of this node both want 127.0.0.1:7000; give one"
                                + " of them another port.");
    }

    @Test
    void letsNodesOfDifferentRolesAndFreePortsBe() {
        assertThatNoException().isThrownBy(() -> parse("""
                        node: { role: processor, http: 127.0.0.1:0 }
                        processor: { address: 127.0.0.1:0 }
                        queue: { address: 0.0.0.0:8086 }
                        inputs:
                          a: { http: 0.0.0.0:8086 }
                        """));
        assertThatNoException()
                .isThrownBy(() -> parse("node: { role: queue, http: 127.0.0.1:1 }\nqueue: {address: 127.0.0.2:1}"));
    }

    private static ChimeraConfig parse(String yaml) {
        return new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of());
    }

    private static List<String> problemsOf(String yaml) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> parse(yaml));
        assertThat(e).isNotNull();
        return e.problems().stream().map(ConfigProblem::toString).toList();
    }
}
