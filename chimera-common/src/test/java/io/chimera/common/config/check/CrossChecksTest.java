package io.chimera.common.config.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.load.ConfigLoader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CrossChecksTest {
    @Test
    void refusesNamesThatLeadNowhere() {
        assertThat(problemsOf("""
            inputs:
              influx: { http: 127.0.0.1:8086 }
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
                        "test.yaml:2: inputs.i has no listener; set http, tcp or udp to an address such as"
                                + " 127.0.0.1:8086.",
                        "test.yaml:4: pipelines.p.stores is empty; name at least one store, or its rows go nowhere.");
    }

    @Test
    void refusesTwoListenersOfOneNodeOnOneAddress() {
        assertThat(problemsOf("""
            node: { role: queue, http: 127.0.0.1:8086 }
            inputs:
              a: { http: 0.0.0.0:8086, tcp: 127.0.0.1:7000, insecure: true }
              b: { http: 127.0.0.1:7000, udp: 127.0.0.1:7000 }
            """))
                .containsExactly(
                        "test.yaml:3: inputs.a.http and node.http of this node both use 0.0.0.0:8086; give one of"
                                + " them another port.",
                        "test.yaml:4: inputs.b.http and inputs.a.tcp of this node both use 127.0.0.1:7000; give one"
                                + " of them another port.");
    }

    @Test
    void refusesResourcesThatLanesOfAQueueNodeCannotShare() {
        assertThat(problemsOf("""
            queue: { lanes: 2, address: 127.0.0.1:9700 }
            inputs: { i: { http: 127.0.0.1:0 } }
            """)).singleElement().asString().contains("inputs.i listens on port 0", "queue.lanes: 1");
        assertThat(problemsOf("""
            queue: { lanes: 2, address: 127.0.0.1:9700, journal: { archive: { devices: [/dev/sdx] } } }
            """)).singleElement().asString().contains("absolute path", "queue.lanes: 1");
    }

    @Test
    void refusesLanesWithAnArchiveAndOnAnInputsPort() {
        assertThat(problemsOf("""
            processor: { lanes: 2 }
            stores: { a: { type: archive } }
            """)).singleElement().asString().contains("processor.lanes is 2", "single writer");
        assertThat(problemsOf("""
            processor: { address: 127.0.0.1:9602, lanes: 3 }
            inputs: { i: { http: 127.0.0.1:9604 } }
            """))
                .singleElement()
                .asString()
                .contains("processor.address (of lane 2)", "127.0.0.1:9604", "plus i");
    }

    @Test
    void refusesServersWithoutAPossiblePort() {
        for (String connect : List.of("zk:0", "zk1:2181,zk2:65536", "zk:99999")) {
            assertThat(problemsOf("coordinator: { connect: '" + connect + "' }"))
                    .singleElement()
                    .asString()
                    .contains("coordinator.connect");
        }
        assertThatNoException().isThrownBy(() -> new ConfigLoader(Map.of())
                .parse("test.yaml", "coordinator: { connect: 'zk1:1,zk2:65535/root' }", List.of()));
    }

    @Test
    void refusesAStoreThatIsAnInputOfTheNode() {
        for (String[] pair : new String[][] {
            {"127.0.0.1:8081", "http://localhost:8081"},
            {"127.0.0.1:8081", "http://127.0.0.1:8081/"},
            {"0.0.0.0:8081", "http://[::1]:8081"},
            {"0.0.0.0:8081", "http://q1.example:8081"},
            {"10.0.0.1:8081", "http://10.0.0.1:8081"}
        }) {
            assertThat(problemsOf(loop(pair[0], pair[1])))
                    .singleElement()
                    .asString()
                    .contains("test.yaml:3", "stores.k.url", "inputs.i.http");
        }
        assertThatNoException().isThrownBy(() -> parse(loop("127.0.0.1:8081", "http://127.0.0.1:8080")));
        assertThatNoException().isThrownBy(() -> parse(loop("10.0.0.1:8081", "http://10.0.0.2:8081")));
    }

    private static String loop(String input, String store) {
        return """
            node: { host: q1.example }
            inputs: { i: { type: kairosdb, http: "%s", insecure: true } }
            stores: { k: { type: kairosdb, url: "%s" } }
            """.formatted(input, store);
    }

    @Test
    void refusesTextsThatADatabaseCannotHold() {
        String yaml = """
            pipelines:
              p: { stores: [db], rows: { %s } }
            stores: { db: { type: %s } }
            """;
        String database = "postgresql, url: 'postgresql://db/m'";
        for (String rows : List.of("prefix: \"a\\0\"", "tags: { per: \"\\0\" }")) {
            assertThat(problemsOf(yaml.formatted(rows, database)))
                    .singleElement()
                    .asString()
                    .contains("pipelines.p.rows", "U+0000");
            assertThatNoException().isThrownBy(() -> parse(yaml.formatted(rows, "kairosdb")));
        }
    }

    @Test
    void refusesDatagramsThatNobodyMaySend() {
        String input = "inputs: { influx: { udp: 127.0.0.1:8089%s } }\n";
        assertThat(problemsOf("node: { tokens: t.yaml }\n" + input.formatted("")))
                .singleElement()
                .asString()
                .contains("test.yaml:2", "inputs.influx.udp", "inputs.influx.allow");
        assertThatNoException()
                .isThrownBy(() -> parse("node: { tokens: t.yaml }\n" + input.formatted(", allow: [127.0.0.0/8]")));
        assertThatNoException().isThrownBy(() -> parse(input.formatted("")));
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

    @Test
    void refusesPortsThatOtherMachinesReachUnlessTheyAreDeclaredInsecure() {
        String yaml = """
            node: { role: all, http: 0.0.0.0:9600%1$s }
            queue: { address: 10.1.2.3:9601 }
            processor: { address: "[::]:9602" }
            coordinator: { embedded: { address: zk1:2181 } }
            inputs:
              a: { http: 0.0.0.0:8086, udp: 0.0.0.0:8089%1$s }
              b: { tcp: localhost:7000, http: "[::1]:7001", udp: 127.0.0.2:7002 }
            """;

        assertThat(problemsOf(yaml.formatted("")))
                .hasSize(6)
                .contains(
                        "test.yaml:1: node.http is 0.0.0.0:9600, reachable from other machines without authentication"
                                + " and TLS. Listen on 127.0.0.1:9600, or set node.insecure: true in a trusted network.",
                        "test.yaml:6: inputs.a.udp is 0.0.0.0:8089, reachable from other machines without"
                                + " authentication. Listen on 127.0.0.1:8089, set inputs.a.allow to the addresses of"
                                + " the senders, or set inputs.a.insecure: true in a trusted network.")
                .noneMatch(problem -> problem.contains("inputs.b"));
        assertThat(parse(yaml.formatted(", insecure: true")).openPorts())
                .hasSize(6)
                .allMatch(warning -> warning.contains("insecure is true"));
        assertThat(parse("node: { role: all }\ninputs: { i: { http: 127.0.0.1:1 } }")
                        .openPorts())
                .isEmpty();
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
