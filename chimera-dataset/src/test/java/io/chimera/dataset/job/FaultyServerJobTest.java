package io.chimera.dataset.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.Zstd;
import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.http.HttpCredentials;
import io.chimera.dataset.source.http.HttpLocation;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpSource;
import io.chimera.dataset.source.http.ScriptedServer;
import io.chimera.dataset.source.http.ScriptedServer.Request;
import io.chimera.dataset.source.http.ScriptedServer.Wire;
import io.chimera.dataset.source.s3.S3Credentials;
import io.chimera.dataset.source.s3.S3Location;
import io.chimera.dataset.source.s3.S3Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs over servers that fail: faults that pass do not change the rows, other faults end the job or skip the split. No
 * message and no file of the job has the credentials.
 */
final class FaultyServerJobTest {
    private static final String SECRET = "s3cr3t";
    private static final String ETAG = "ETag: \"v1\"";
    private static final byte[] CONTENT = JobRig.csv(0, 40_000);
    private static final BadInput SKIP = new BadInput(OnBadSplit.SKIP, RejectLimits.DEFAULT);

    /** A byte of the second split, which no reader of another split requests. */
    private static final int BAD = 250_000;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Longer than a healthy answer takes on a busy machine. */
    private static final Duration STALLED = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger faults = new AtomicInteger();
    private final ManualClock clock = new ManualClock();
    private String rows = "";

    /** Answers the request of a range in a wrong way. */
    private interface Fault {
        void answer(Wire wire, int from, int to) throws IOException, InterruptedException;
    }

    /** Faults after which another attempt succeeds. */
    private enum Passing {
        CLOSES,
        RESETS,
        ENDS_EARLY,
        DECLARES_LESS,
        DECLARES_MORE,
        STALLS,
        FAILS,
        IS_BUSY;

        private void answer(Wire wire, int from, int to) throws IOException, InterruptedException {
            switch (this) {
                case CLOSES -> wire.close();
                case RESETS -> wire.reset();
                case ENDS_EARLY -> {
                    range(wire, from, to, to - from);
                    wire.bytes(Arrays.copyOfRange(CONTENT, from, to - 1));
                    wire.close();
                }
                case DECLARES_LESS -> {
                    range(wire, from, to, to - from - 1);
                    wire.bytes(Arrays.copyOfRange(CONTENT, from, to - 1));
                }
                case DECLARES_MORE -> {
                    range(wire, from, to, to - from + 1);
                    wire.bytes(Arrays.copyOfRange(CONTENT, from, to));
                    wire.close();
                }
                case STALLS -> {
                    range(wire, from, to, to - from);
                    wire.bytes(Arrays.copyOfRange(CONTENT, from, from + 5));
                    wire.stall();
                }
                case FAILS -> wire.answer(500, new byte[0]);
                case IS_BUSY -> wire.answer(429, new byte[0], "Retry-After: 7");
            }
        }
    }

    private static void range(Wire wire, int from, int to, int declared) throws IOException {
        wire.head(
                206,
                ETAG,
                "Content-Range: bytes " + from + "-" + (to - 1) + "/" + CONTENT.length,
                "Content-Length: " + declared);
    }

    @BeforeEach
    void computeRows() throws IOException {
        MemorySource source = new MemorySource().with("a.csv", CONTENT);
        new JobRig(folder.resolve("whole"), clock).run(source, List.of("*"), JobRig.CSV, BadInput.DEFAULT);
        rows = Files.readString(folder.resolve("whole/rows.lp"));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Serves the content; a number of requests of the bad byte meet the fault, which does not stall. */
    private HttpSource source(int times, Fault fault) {
        return source(times, fault, PATIENCE);
    }

    private HttpSource source(int times, Passing passing) {
        return source(times, passing::answer, passing == Passing.STALLS ? STALLED : PATIENCE);
    }

    private HttpSource source(int times, Fault fault, Duration stalledAfter) {
        ScriptedServer server = ScriptedServer.start((request, wire) -> {
            String range = request.headers().get("range");
            if (range == null) {
                wire.answer(200, CONTENT, ETAG);
                return;
            }
            String[] ends = range.substring("bytes=".length()).split("-", 2);
            int from = Integer.parseInt(ends[0]);
            int to = Integer.parseInt(ends[1]) + 1;
            if (from <= BAD && BAD < to && faults.getAndIncrement() < times) {
                fault.answer(wire, from, to);
            } else {
                range(wire, from, to, to - from);
                wire.bytes(Arrays.copyOfRange(CONTENT, from, to));
            }
        });
        open.add(server);
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create(server.url("/")), HttpCredentials.bearer(SECRET), false),
                new HttpSettings(8, Duration.ofMinutes(1), stalledAfter, Duration.ofMinutes(10), null),
                new AllowedHosts(List.of("127.0.0.1:" + server.port())),
                clock);
        open.add(0, source);
        return source;
    }

    private JobException failure(HttpSource source) {
        JobException failure = catchThrowableOfType(JobException.class, () -> new JobRig(folder.resolve("job"), clock)
                .run(source, List.of("a.csv"), JobRig.CSV, BadInput.DEFAULT));
        return checked(failure);
    }

    private static JobException checked(JobException failure) {
        assertThat(failure).isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain(SECRET);
        }
        return failure;
    }

    @ParameterizedTest
    @EnumSource
    void aFaultThatPassesDoesNotChangeTheRows(Passing passing) throws IOException {
        JobRig rig = new JobRig(folder.resolve("job"), clock);

        JobProgress.Snapshot end =
                rig.run(source(2, passing), List.of("a.csv"), JobRig.CSV, SKIP).snapshot();

        assertThat(Files.readString(folder.resolve("job/rows.lp"))).isEqualTo(rows);
        assertThat(end.splitsSkipped()).isZero();
        assertThat(end.points()).as("nothing counted twice").isEqualTo(40_000);
        if (passing == Passing.STALLS) { // a busy machine may make a healthy answer stall too
            assertThat(faults.get()).isGreaterThanOrEqualTo(3);
        } else {
            assertThat(faults.get()).isEqualTo(3);
        }
        if (passing == Passing.IS_BUSY) {
            assertThat(rig.waited()).hasSize(2).allMatch(pause -> pause.compareTo(Duration.ofSeconds(7)) >= 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFaultThatStaysEndsTheJobAfterBoundedAttempts(Passing passing) {
        JobException failure = failure(source(Integer.MAX_VALUE, passing));

        assertThat(failure).hasMessageContainingAll("split 1", "a.csv", "run the job again");
        assertThat(faults.get()).isEqualTo(Retries.Limits.DEFAULT.attemptsMax());
    }

    @ParameterizedTest
    @CsvSource({"403, forbidden", "404, not_found", "410, not_found", "412, changed", "416, range_refused"})
    void anObjectThatIsGoneIsSkippedAfterOneAttempt(int status, String reason) throws IOException {
        HttpSource source = source(Integer.MAX_VALUE, (wire, from, to) -> wire.answer(status, new byte[0]));

        new JobRig(folder.resolve("job"), clock).run(source, List.of("a.csv"), JobRig.CSV, SKIP);

        assertThat(Files.readString(folder.resolve("job/skipped.jsonl")))
                .contains("\"split\":1", "\"object\":\"a.csv\"", "\"from\":150000", "\"reason\":\"" + reason + "\"")
                .doesNotContain(SECRET);
        assertThat(faults.get()).isEqualTo(1);
    }

    @Test
    void anObjectThatChangesMidwayIsNamedWithItsSplit() {
        JobException failure = failure(source(Integer.MAX_VALUE, (wire, from, to) -> {
            wire.answer(
                    206,
                    Arrays.copyOfRange(CONTENT, from, to),
                    "ETag: \"v2\"",
                    "Content-Range: bytes " + from + "-" + (to - 1) + "/" + CONTENT.length);
        }));

        assertThat(failure).hasMessageContainingAll("split 1", "a.csv", "list");
        assertThat(faults.get()).isEqualTo(1);
    }

    @Test
    void refusedCredentialsEndTheJobAndSkipNothing() {
        HttpSource source = source(Integer.MAX_VALUE, (wire, from, to) -> wire.answer(401, new byte[0]));

        JobException failure = catchThrowableOfType(JobException.class, () -> new JobRig(folder.resolve("job"), clock)
                .run(source, List.of("a.csv"), JobRig.CSV, SKIP));

        assertThat(checked(failure)).hasMessageContainingAll("split 1", "credentials");
        assertThat(folder.resolve("job/skipped.jsonl")).doesNotExist();
    }

    @Test
    void redirectsInACircleEndTheJob() {
        HttpSource source =
                source(Integer.MAX_VALUE, (wire, from, to) -> wire.answer(302, new byte[0], "Location: /a.csv"));

        JobException failure = catchThrowableOfType(JobException.class, () -> new JobRig(folder.resolve("job"), clock)
                .run(source, List.of("a.csv"), JobRig.CSV, SKIP));

        assertThat(checked(failure)).hasMessageContainingAll("split 1", "a.csv", "redirect");
    }

    /** S3 refuses a signature whose time differs by more than a quarter of an hour. */
    @Test
    void aClockThatIsWrongIsNamedWithItsRemedy() {
        ScriptedServer server = ScriptedServer.start(FaultyServerJobTest::answerS3);
        open.add(server);
        S3Source source = new S3Source(
                new S3Location(URI.create(server.url("")), "us-east-1", "bucket", "", S3Location.Style.PATH),
                new S3Credentials("id", SECRET, "t0ken"),
                10,
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("127.0.0.1:" + server.port())),
                clock);
        open.add(0, source);

        JobException failure = catchThrowableOfType(JobException.class, () -> new JobRig(folder.resolve("job"), clock)
                .run(source, List.of("a.csv"), JobRig.CSV, SKIP));

        assertThat(checked(failure)).hasMessageContainingAll("split ", "a.csv", "NTP");
        assertThat(failure.getMessage()).doesNotContain("t0ken");
    }

    private static void answerS3(Request request, Wire wire) throws IOException {
        if (request.headers().containsKey("range")) {
            wire.answer(
                    403,
                    ("<Error><Code>RequestTimeTooSkewed</Code><Message>" + SECRET + "</Message></Error>")
                            .getBytes(UTF_8));
        } else {
            wire.answer(200, CONTENT, ETAG);
        }
    }

    @Test
    void aZstdBombIsSkippedWithItsLimit() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        bomb.write(Zstd.compress("time,value\n".getBytes(UTF_8)));
        bomb.write(Zstd.compress(new byte[80 << 20]));
        MemorySource source = new MemorySource().with("a.csv", CONTENT).with("bomb.csv.zst", bomb.toByteArray());

        JobProgress.Snapshot end = new JobRig(folder.resolve("job"), clock)
                .run(source, List.of("*"), JobRig.CSV, SKIP)
                .snapshot();

        assertThat(end.points()).isEqualTo(40_000);
        assertThat(Files.readString(folder.resolve("job/rows.lp"))).isEqualTo(rows);
        assertThat(Files.readString(folder.resolve("job/skipped.jsonl"))).contains("bomb.csv.zst", "damaged", "times");
    }
}
