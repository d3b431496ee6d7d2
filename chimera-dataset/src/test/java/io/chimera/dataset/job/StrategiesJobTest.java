package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.copy.CopyLimits;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.file.FolderSource;
import io.chimera.dataset.source.http.HttpCredentials;
import io.chimera.dataset.source.http.HttpLocation;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpSource;
import io.chimera.dataset.source.http.ScriptedServer;
import io.chimera.dataset.source.http.ScriptedServer.Request;
import io.chimera.dataset.source.http.ScriptedServer.Wire;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs with copies: the rows are those of a job without copies, and a second job reads no byte of the source. */
final class StrategiesJobTest {
    private static final byte[] CONTENT = JobRig.csv(0, 60_000);
    private static final int SPLITS = (CONTENT.length - 1) / JobRig.SPLIT + 1;
    private static final long ENOUGH = 1L << 30;
    private static final List<Strategy> ORDER = List.of(Strategy.STREAM, Strategy.COPY, Strategy.OVERLAP);

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final AtomicLong sent = new AtomicLong();
    private String rows = "";

    @BeforeEach
    void computeRows() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Files.write(folder.resolve("data/a.csv"), CONTENT);
        new JobRig(folder.resolve("whole"), clock).run(files(), List.of("a.csv"), JobRig.CSV, BadInput.DEFAULT);
        rows = rows("whole");
        assertThat(rows).isNotEmpty();
        assertThat(SPLITS).isGreaterThan(4);
    }

    private FolderSource files() {
        return new FolderSource(folder.resolve("data"), 10);
    }

    private String rows(String job) throws IOException {
        return Files.readString(folder.resolve(job).resolve("rows.lp"));
    }

    /** A file source that counts bytes; reads of a byte may fail. */
    private final class Counted implements DataSource {
        private final FolderSource files = files();
        private long badByte = -1;
        private SourceFault fault = SourceFault.FORBIDDEN;

        @Override
        public String place() {
            return files.place();
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            return files.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            if (offset <= badByte && badByte < offset + into.remaining()) {
                throw new SourceException(fault, object.path() + " is refused; repair it");
            }
            sent.addAndGet(into.remaining());
            files.read(object, offset, into);
        }

        @Override
        public void close() {
            files.close();
        }
    }

    private JobProgress run(String job, DataSource source, long maxBytes, BadInput badInput, SplitStrategies strategies)
            throws IOException {
        CopyLimits limits = new CopyLimits(maxBytes, Duration.ofDays(1), JobRig.RANGE);
        try (CopyStore store = CopyStore.open(folder.resolve("copies"), limits, clock);
                CopySource copies = new CopySource(source, "", store, clock)) {
            return new JobRig(folder.resolve(job), clock)
                    .run(source, List.of("a.csv"), JobRig.CSV, badInput, Optional.of(copies), strategies);
        }
    }

    private JobProgress run(String job, DataSource source, Strategy strategy) throws IOException {
        return run(job, source, ENOUGH, BadInput.DEFAULT, SplitStrategies.always(strategy));
    }

    /** Another strategy for each split. */
    private static SplitStrategies alternating() {
        AtomicInteger number = new AtomicInteger(1);
        return new SplitStrategies() {
            @Override
            public void begin(List<Split> splits, JobProgress progress) {
                // no choice is reported
            }

            @Override
            public Strategy next() {
                return ORDER.get(number.getAndIncrement() % ORDER.size());
            }

            @Override
            public void copied() {
                // nothing to decide
            }

            @Override
            public void computed(Split split) {
                // nothing to decide
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreTheSameBitsUnderEachStrategy(Strategy strategy) throws IOException {
        JobProgress end = run("job", new Counted(), strategy);

        assertThat(rows("job")).isEqualTo(rows);
        assertThat(end.choices()).extracting(ChosenStrategy::strategy).containsExactly(strategy);
        assertThat(end.meters().copies().writtenBytes()).isEqualTo(strategy == Strategy.STREAM ? 0 : CONTENT.length);
    }

    @Test
    void rowsAreTheSameBitsWhenTheStrategyChangesAtEachSplit() throws IOException {
        JobProgress end = run("job", new Counted(), ENOUGH, BadInput.DEFAULT, alternating());

        assertThat(rows("job")).isEqualTo(rows);
        assertThat(end.meters().copies().writtenBytes()).isBetween(1L, (long) CONTENT.length);
    }

    @ParameterizedTest
    @EnumSource
    void aSecondJobReadsNoByteOfTheSource(Strategy second) throws IOException {
        run("first", new Counted(), Strategy.OVERLAP);
        sent.set(0);

        JobProgress end = run("second", new Counted(), second);

        assertThat(rows("second")).isEqualTo(rows);
        assertThat(sent.get()).isZero();
        assertThat(end.meters().copies().readBytes()).isGreaterThanOrEqualTo(CONTENT.length);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STREAM")
    void eachByteOfAnHttpServerIsReadOnceForTwoJobs(Strategy strategy) throws IOException {
        try (ScriptedServer server = ScriptedServer.start(this::serve)) {
            run("first", http(server), strategy);
            long first = sent.getAndSet(0);
            run("second", http(server), strategy);

            assertThat(first).isBetween((long) CONTENT.length, CONTENT.length + 200_000L);
            assertThat(sent.get()).isZero();
            assertThat(rows("first")).isEqualTo(rows);
            assertThat(rows("second")).isEqualTo(rows);
        }
    }

    private HttpSource http(ScriptedServer server) {
        return new HttpSource(
                new HttpLocation(URI.create(server.url("/data")), HttpCredentials.NONE, false),
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("127.0.0.1")),
                clock);
    }

    private void serve(Request request, Wire wire) throws IOException {
        String range = request.headers().get("range");
        if (range == null) {
            wire.answer(200, CONTENT, "ETag: \"v1\"");
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-", 2);
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[1]) + 1;
        sent.addAndGet(to - from);
        wire.answer(
                206,
                Arrays.copyOfRange(CONTENT, from, to),
                "ETag: \"v1\"",
                "Content-Range: bytes " + from + "-" + (to - 1) + "/" + CONTENT.length);
    }

    @ParameterizedTest
    @EnumSource
    void withoutRoomForAllTheJobEndsWithTheSameRows(Strategy strategy) throws IOException {
        JobProgress end =
                run("job", new Counted(), 20 * JobRig.RANGE, BadInput.DEFAULT, SplitStrategies.always(strategy));

        CopyTotals copies = end.meters().copies();
        assertThat(rows("job")).isEqualTo(rows);
        assertThat(copies.writtenBytes()).isLessThanOrEqualTo(20 * JobRig.RANGE);
        assertThat(copies.trouble().contains("copies.max_bytes")).isEqualTo(strategy != Strategy.STREAM);
    }

    /** The source refuses a byte of the third split. */
    @ParameterizedTest
    @EnumSource
    void aBadSplitIsSkippedUnderEachStrategy(Strategy strategy) throws IOException {
        Counted source = new Counted();
        source.badByte = 2 * JobRig.SPLIT + 70_000;
        BadInput skip = new BadInput(OnBadSplit.SKIP, RejectLimits.DEFAULT);

        JobProgress end = run("job", source, ENOUGH, skip, SplitStrategies.always(strategy));

        assertThat(end.snapshot().splitsSkipped()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("job/skipped.jsonl")))
                .contains("\"split\":2", "\"reason\":\"forbidden\"");
    }

    @Test
    void aSourceThatIsAwayEndsTheCopyingAndTheNextRunContinues() throws IOException {
        Counted source = new Counted();
        source.badByte = 2 * JobRig.SPLIT + 70_000;
        source.fault = SourceFault.UNREACHABLE;
        assertThatThrownBy(() -> run("job", source, Strategy.COPY)).hasMessageContaining("a.csv");
        long first = sent.getAndSet(0);
        source.badByte = -1;

        JobProgress end = run("job", source, Strategy.COPY);

        assertThat(rows("job")).isEqualTo(rows);
        assertThat(first).as("copied before the fault").isGreaterThan(JobRig.SPLIT);
        assertThat(sent.get()).isLessThan(CONTENT.length);
        assertThat(end.snapshot().phase()).isEqualTo(JobPhase.DONE);
    }
}
