package io.chimera.node.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.child.FreePorts;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unmodified clients of OpenTSDB write points; the sums in the store equal the sums of the sent values. */
@Tag("it")
final class OpenTsdbClientsIT {
    private static final Path CURL = Path.of("/usr/bin/curl");
    private static final FreePorts PORTS = new FreePorts(4);
    private static final String HTTP = PORTS.next();
    private static final String TCP = PORTS.next();

    @TempDir
    private static Path folder;

    private static InputNode node;

    @BeforeAll
    static void start() throws Exception {
        node = new InputNode(
                folder, PORTS, "opentsdb: { type: opentsdb, http: \"%s\", tcp: \"%s\" }".formatted(HTTP, TCP));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void potsdbOverTelnet() throws Exception {
        node.python("""
                import sys, potsdb
                client = potsdb.Client('127.0.0.1', port=int(sys.argv[1]))
                for i in range(500):
                    client.log('it.potsdb', i, worker=str(i % 4), timestamp=1700000000 + i)
                client.wait()
                """, String.valueOf(InputNode.port(TCP)));

        node.awaitStored("it.potsdb.value", 500, 124_750, 0, 499);
        assertThat(node.stored("it.potsdb.value.count").keySet())
                .anySatisfy(row -> assertThat(row).contains("\"worker\":\"3\"", "\"host\":"));
    }

    /** The client compresses its requests. */
    @Test
    void opentsdbPyOverHttp() throws Exception {
        node.python("""
                import sys, opentsdb
                client = opentsdb.TSDBClient('127.0.0.1', port=int(sys.argv[1]))
                for i in range(500):
                    client.send('it.opentsdb.py', i, worker=str(i % 4))
                client.close()
                client.wait()
                """, String.valueOf(InputNode.port(HTTP)));

        node.awaitStored("it.opentsdb.py.value", 500, 124_750, 0, 499);
    }

    @Test
    void curlGetsTheNumbersAndErrors() throws Exception {
        String answer = node.run(
                CURL, "-s", "-H", "Content-Type: application/json", "-d", """
                [{"metric": "it.curl", "timestamp": 1700000000, "value": "2.5", "tags": {"host": "a"}},
                 {"metric": "it.curl", "timestamp": 1700000000123, "value": -7, "tags": {"host": "b"}},
                 {"metric": "it.curl", "timestamp": 1700000000, "value": "fast", "tags": {"host": "a"}}]
                """, "http://" + HTTP + "/api/put?details");

        assertThat(answer)
                .contains("\"value\":\"fast\"", "\"error\":\"invalid value: a number is expected\"")
                .contains("\"failed\":1,\"success\":2");
        node.awaitStored("it.curl.value", 2, -4.5, -7, 2.5);
    }
}
