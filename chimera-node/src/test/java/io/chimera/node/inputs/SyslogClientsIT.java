package io.chimera.node.inputs;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.child.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program logger of util-linux writes messages; the counts in the store equal the numbers of messages. */
@Tag("it")
final class SyslogClientsIT {
    private static final Path LOGGER = Path.of("/usr/bin/logger");
    private static final int MESSAGES = 200;
    private static final FreePorts PORTS = new FreePorts(3);
    private static final int PORT = InputNode.port(PORTS.next());

    @TempDir
    private static Path folder;

    private static InputNode node;

    @BeforeAll
    static void start() throws Exception {
        node = new InputNode(
                folder,
                PORTS,
                "syslog: { type: syslog, tcp: \"127.0.0.1:%d\", udp: \"127.0.0.1:%d\" }".formatted(PORT, PORT));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static void log(String app, String... options) throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            lines.append("message ").append(i).append('\n');
        }
        Path file = Files.writeString(folder.resolve(app), lines);
        List<String> words = new ArrayList<>(Arrays.asList(options));
        words.addAll(List.of("--server", "127.0.0.1", "--port", String.valueOf(PORT), "--tag", app));
        words.addAll(List.of("--priority", "local3.warning", "--file", file.toString()));
        node.run(LOGGER, words.toArray(String[]::new));

        await(app).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> assertThat(
                        node.stored("syslog.message.count").entrySet().stream()
                                .filter(row -> row.getKey().contains("\"app\":\"" + app + "\""))
                                .filter(row -> row.getKey().contains("\"facility\":\"local3\""))
                                .filter(row -> row.getKey().contains("\"severity\":\"warning\""))
                                .mapToDouble(row -> row.getValue())
                                .sum())
                .isEqualTo(MESSAGES));
        assertThat(node.metric("chimera_parser_points_rejected_total")).isZero();
    }

    @Test
    void rfc5424OverUdp() throws Exception {
        log("it-udp", "--udp", "--rfc5424");
    }

    @Test
    void rfc3164OverUdp() throws Exception {
        log("it-old", "--udp", "--rfc3164");
    }

    @Test
    void rfc5424OverTcpWithLengths() throws Exception {
        log("it-counted", "--tcp", "--rfc5424", "--octet-count");
    }

    @Test
    void rfc5424OverTcpWithLineFeeds() throws Exception {
        log("it-lines", "--tcp", "--rfc5424");
    }
}
