package io.chimera.common.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit records on disk: format, size limit, and a failing disk. */
final class AuditLogTest {
    private final Counters<AccessCounter> counters = new Counters<>(AccessCounter.class);

    @TempDir
    Path folder;

    @Test
    void writesOneObjectALineAndKeepsTwoFiles() throws IOException {
        try (AuditLog log = new AuditLog(folder, 2_000, new ManualClock(), counters)) {
            for (int i = 0; i < 100; i++) {
                log.record(new AuditLog.Entry("alice", "10.0.0.1", "/-/drain", "q" + i + "\n\"x", false, "ok"));
            }
        }

        assertThat(Files.size(folder.resolve("audit.jsonl"))).isLessThanOrEqualTo(2_000);
        assertThat(Files.size(folder.resolve("audit.1.jsonl"))).isLessThanOrEqualTo(2_000);
        var lines = Files.readAllLines(folder.resolve(AuditLog.FILE));
        JsonNode last = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(last.path("principal").asText()).isEqualTo("alice");
        assertThat(last.path("target").asText()).isEqualTo("q99\n\"x");
        assertThat(last.path("dry").asBoolean(true)).isFalse();
        assertThat(last.path("time").asText()).endsWith("Z");
        assertThat(counters.get(AccessCounter.AUDIT_RECORDS_LOST)).isZero();
    }

    @Test
    void countsWhatTheDiskDoesNotTake() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        try (AuditLog log = new AuditLog(file, 2_000, new ManualClock(), counters)) {
            log.record(new AuditLog.Entry("", "", "start", "", false, "ok"));
        }
        assertThat(counters.get(AccessCounter.AUDIT_RECORDS_LOST)).isEqualTo(1);
    }

    @Test
    void refusedRequestsDoNotPushOutWhatWasCarriedOut() throws IOException {
        try (AuditLog log = new AuditLog(folder, 2_000, new ManualClock(), counters)) {
            log.record(new AuditLog.Entry("alice", "10.0.0.1", "/-/drain", "", false, "ok"));
            for (int i = 0; i < 200; i++) {
                log.refused(new AuditLog.Entry("", "10.0.0.2", "access", "x".repeat(8_000), false, "forbidden"));
            }
        }

        assertThat(Files.readString(folder.resolve(AuditLog.FILE))).contains("/-/drain");
        assertThat(Files.size(folder.resolve(AuditLog.REFUSED_FILE))).isLessThanOrEqualTo(2_000);
    }
}
