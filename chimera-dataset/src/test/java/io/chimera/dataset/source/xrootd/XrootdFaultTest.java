package io.chimera.dataset.source.xrootd;

import static io.chimera.common.agent.Waits.await;
import static io.chimera.dataset.source.xrootd.XrootdFixture.LIMITS;
import static io.chimera.dataset.source.xrootd.XrootdFixture.async;
import static io.chimera.dataset.source.xrootd.XrootdFixture.failure;
import static io.chimera.dataset.source.xrootd.XrootdFixture.object;
import static io.chimera.dataset.source.xrootd.XrootdFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import io.chimera.dataset.source.xrootd.wire.RequestKind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that refuse, delay, lie, stall and end. */
final class XrootdFaultTest {
    private static final int LENGTH = 100_000;
    private static final byte[] CONTENT = FakeFiles.random(LENGTH, 1);
    private static final DataObject OBJECT = object("a.bin", LENGTH);

    private final XrootdFixture fixture = new XrootdFixture();
    private final FakeFiles files = new FakeFiles().put("/data/a.bin", CONTENT);

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    /** A server whose answer to one kind of request is another one. */
    private FakeXrootd except(RequestKind kind, FakeXrootd.Script script) throws Exception {
        return fixture.server((request, answers) -> {
            if (request.kind() == kind) {
                script.answer(request, answers);
            } else {
                files.answer(request, answers);
            }
        });
    }

    private SourceException readFailure(FakeXrootd server) {
        XrootdSource source = fixture.source(server);
        return failure(() -> read(source, OBJECT, 0, 1_000));
    }

    @ParameterizedTest
    @CsvSource({
        "3010, FORBIDDEN",
        "3011, NOT_FOUND",
        "3012, SERVER_FAILED",
        "3007, SERVER_FAILED",
        "3013, UNSUPPORTED",
        "3016, NOT_FOUND",
        "3024, BUSY",
        "3028, UNSUPPORTED",
        "3030, UNAUTHENTICATED",
        "9999, SERVER_FAILED"
    })
    void namesTheFaultOfAnError(int code, SourceFault fault) throws Exception {
        SourceException failure =
                readFailure(except(RequestKind.OPEN, (request, answers) -> answers.error(request, code, "because\n")));

        assertThat(failure.fault()).isEqualTo(fault);
        assertThat(failure).hasMessageContainingAll("/data/a.bin", "127.0.0.1", "" + code, "because", "; ");
    }

    @Test
    void keepsCredentialsOutOfMessages() throws Exception {
        FakeXrootd server = except(
                RequestKind.OPEN,
                (request, answers) ->
                        answers.error(request, 3010, "bad token Bearer secret+token in " + request.text()));
        XrootdSource source = fixture.source(server, "authz=Bearer%20secret%2Btoken", LIMITS);

        SourceException failure = failure(() -> read(source, OBJECT, 0, 10));

        assertThat(server.requests().get(0)).contains("?authz=Bearer%20secret%2Btoken");
        assertThat(failure).hasMessageContaining("***");
        assertThat(failure.getMessage() + source.place()).doesNotContain("secret");
    }

    @Test
    void waitsWhenTheServerAsksAndRepeats() throws Exception {
        AtomicInteger opens = new AtomicInteger();
        FakeXrootd server = except(RequestKind.OPEN, (request, answers) -> {
            if (opens.incrementAndGet() == 1) {
                answers.pause(request, 10);
            } else {
                files.answer(request, answers);
            }
        });
        XrootdSource source = fixture.source(server);

        CompletableFuture<byte[]> read = async(() -> read(source, OBJECT, 0, 10));
        await().until(() -> opens.get() == 1);
        await().until(() -> {
            fixture.clock.advanceMs(1_000);
            return opens.get() == 2;
        });

        assertThat(read.get()).isEqualTo(Arrays.copyOf(CONTENT, 10));
    }

    @Test
    void reportsALongPauseToTheCaller() throws Exception {
        SourceException failure =
                readFailure(except(RequestKind.READ, (request, answers) -> answers.pause(request, 60)));

        assertThat(failure.fault()).isEqualTo(SourceFault.BUSY);
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void receivesAnAnnouncedAnswerInsideAMessage() throws Exception {
        FakeXrootd server = except(RequestKind.QUERY, (request, answers) -> {
            answers.send(request.streamId(), FakeXrootd.WAIT_FOR_ANSWER, FakeXrootd.ints(600));
            answers.send(0, FakeXrootd.ATTENTION, FakeXrootd.ints(5002, 0, 0x41414141)); // text for people
            fixture.clock.advance(LIMITS.stall().multipliedBy(2));
            answers.late(request, FakeXrootd.OK, "adler32 1234abc\0".getBytes(StandardCharsets.UTF_8));
        });

        assertThat(fixture.source(server).checksum("a.bin").hex()).isEqualTo("01234abc");
    }

    @Test
    void doesNotWaitForAnAnnouncedAnswerForEver() throws Exception {
        FakeXrootd server = except(
                RequestKind.QUERY,
                (request, answers) -> answers.send(
                        request.streamId(), FakeXrootd.WAIT_FOR_ANSWER, FakeXrootd.ints(Integer.MAX_VALUE)));
        XrootdSource source = fixture.source(server);

        CompletableFuture<?> query = async(() -> source.checksum("a.bin"));
        await().until(() -> {
            fixture.clock.advance(LIMITS.late().dividedBy(4));
            return query.isDone();
        });

        assertThat(fault(query)).isEqualTo(SourceFault.STALLED);
        assertThat(read(source, OBJECT, 0, 10)).isEqualTo(Arrays.copyOf(CONTENT, 10));
    }

    private static SourceFault fault(CompletableFuture<?> call) throws InterruptedException {
        try {
            call.get();
            throw new AssertionError("the call succeeded");
        } catch (ExecutionException e) {
            return ((SourceException) e.getCause()).fault();
        }
    }

    @Test
    void refusesAnswersOutsideTheProtocol() throws Exception {
        byte[] tooLong = new byte[1_001];
        assertThat(readFailure(except(RequestKind.READ, (request, answers) -> answers.ok(request, tooLong)))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(readFailure(except(RequestKind.READ, (request, answers) -> answers.send(999, 0, new byte[4])))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(readFailure(except(RequestKind.READ, (request, answers) -> answers.send(1, 4711, new byte[4])))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(readFailure(except(RequestKind.READ, (request, answers) -> answers.ok(request, new byte[3])))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(readFailure(except(RequestKind.OPEN, (request, answers) -> answers.ok(request, new byte[3])))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(readFailure(except(RequestKind.OPEN, (request, answers) -> answers.ok(request, "abcdefghijk1 2")))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @CsvSource({"-5", "2000000000"})
    void refusesLengthsBeforeItAllocates(int length) throws Exception {
        FakeXrootd server = except(
                RequestKind.OPEN,
                (request, answers) -> answers.raw(ByteBuffer.allocate(8)
                        .putShort((short) request.streamId())
                        .putShort((short) 0)
                        .putInt(length)
                        .array()));

        assertThat(readFailure(server).fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void refusesAServerOfAnotherProtocol() throws Exception {
        try (ServerSocket http = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            CompletableFuture<?> answered = async(() -> {
                try (var socket = http.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    return socket.getInputStream().readAllBytes();
                }
            });
            XrootdSource source = sourceAt(http.getLocalPort(), LIMITS, "127.0.0.1");

            assertThat(failure(() -> source.list("a")).fault()).isEqualTo(SourceFault.BAD_ANSWER);
            source.close();
            answered.get();
        }
    }

    private XrootdSource sourceAt(int port, XrootdLimits limits, String allowed) {
        return new XrootdSource(
                new XrootdSettings(XrootdUrl.parse("root://127.0.0.1:" + port + "//data"), "test", false, limits),
                new AllowedHosts(List.of(allowed)),
                null,
                fixture.clock);
    }

    @Test
    void reportsAServerThatEndsWithinAnAnswer() throws Exception {
        FakeXrootd server = except(RequestKind.READ, (request, answers) -> {
            answers.raw(ByteBuffer.allocate(100)
                    .putShort((short) request.streamId())
                    .putShort((short) 0)
                    .putInt(1_000)
                    .array());
            answers.close();
        });

        assertThat(readFailure(server).fault()).isEqualTo(SourceFault.UNREACHABLE);
        assertThat(server.count(RequestKind.READ)).isEqualTo(2);
    }

    @Test
    void reportsAServerThatIsNotThere() throws Exception {
        FakeXrootd server = fixture.server(files);
        server.close();

        assertThat(readFailure(server).fault()).isEqualTo(SourceFault.UNREACHABLE);
    }

    @Test
    void connectsAgainAfterARestart() throws Exception {
        FakeXrootd server = fixture.server(files);
        AtomicInteger reads = new AtomicInteger();
        FakeXrootd breaking = except(RequestKind.READ, (request, answers) -> {
            if (reads.incrementAndGet() == 2) {
                answers.close();
            } else {
                files.answer(request, answers);
            }
        });
        XrootdSource source = fixture.source(breaking);

        read(source, OBJECT, 0, 10);

        assertThat(read(source, OBJECT, 0, 10)).isEqualTo(Arrays.copyOf(CONTENT, 10));
        assertThat(breaking.connections()).isEqualTo(2);
        assertThat(server.connections()).isZero();
    }

    @Test
    void reportsAServerThatStalls() throws Exception {
        FakeXrootd server = except(RequestKind.READ, (request, answers) -> answers.soFar(request, new byte[10]));
        XrootdSource source = fixture.source(server);

        CompletableFuture<byte[]> read = async(() -> read(source, OBJECT, 0, 1_000));
        await().until(() -> server.count(RequestKind.READ) == 1);
        await().until(() -> {
            fixture.clock.advanceMs(10_000);
            return read.isDone();
        });

        assertThat(fault(read)).isEqualTo(SourceFault.STALLED);
    }

    @Test
    void abandonsARequestWithoutAnswerWhileOthersAreAnswered() throws Exception {
        FakeXrootd server = fixture.server((request, answers) -> {
            if (request.kind() != RequestKind.READ || request.offset() != 13) {
                files.answer(request, answers);
            }
        });
        XrootdSource source = fixture.source(server);

        CompletableFuture<byte[]> lost = async(() -> read(source, OBJECT, 13, 1_000));
        await().until(() -> server.count(RequestKind.READ) == 1);
        await().until(() -> {
            read(source, OBJECT, 0, 10);
            fixture.clock.advanceMs(10_000);
            return lost.isDone();
        });

        assertThat(fault(lost)).isEqualTo(SourceFault.STALLED);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void reportsALoginThatStalls() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            XrootdLimits limits = XrootdFixture.limitsWithConnect(Duration.ofMillis(50));
            XrootdSource source = sourceAt(silent.getLocalPort(), limits, "127.0.0.1");

            assertThat(failure(() -> source.list("a")).fault()).isEqualTo(SourceFault.STALLED);
            source.close();
        }
    }

    @Test
    void refusesALoginThatNeedsAPlugin() throws Exception {
        FakeXrootd server = fixture.server(files).withLogin(FakeXrootd.OK, "&P=gsi,v:10400&P=unix");
        FakeXrootd more = fixture.server(files).withLogin(FakeXrootd.AUTH_MORE, "");

        assertThat(readFailure(server))
                .hasMessageContainingAll("gsi", "unix", "authz=")
                .extracting(SourceException::fault)
                .isEqualTo(SourceFault.UNSUPPORTED);
        assertThat(readFailure(more).fault()).isEqualTo(SourceFault.UNSUPPORTED);
    }

    @Test
    void refusesAServerWhoseTlsDoesNotFit() throws Exception {
        FakeXrootd plain = fixture.server(files);
        XrootdSource secured = new XrootdSource(
                XrootdSettings.of(XrootdUrl.parse("roots://127.0.0.1:" + plain.port() + "//data")),
                new AllowedHosts(List.of("127.0.0.1")),
                null,
                fixture.clock);
        FakeXrootd demanding = fixture.server(files).withProtocolFlags(0x8800_0001);

        assertThat(failure(() -> secured.list("a"))).hasMessageContaining("TLS");
        assertThat(readFailure(demanding)).hasMessageContaining("roots://");
        secured.close();
    }

    @Test
    void readsFromAllowedHostsOnly() throws Exception {
        FakeXrootd server = fixture.server(files);
        XrootdSource source = sourceAt(server.port(), LIMITS, "example.org");

        assertThat(failure(() -> read(source, OBJECT, 0, 1)).fault()).isEqualTo(SourceFault.NOT_ALLOWED);
        assertThat(server.connections()).isZero();
        source.close();
    }

    @Test
    void endsCallsWhenClosed() throws Exception {
        FakeXrootd server = except(RequestKind.READ, (request, answers) -> {});
        FakeXrootd pausing = except(RequestKind.READ, (request, answers) -> answers.pause(request, 15));
        for (FakeXrootd each : List.of(server, pausing)) {
            XrootdSource source = fixture.source(each);
            CompletableFuture<byte[]> read = async(() -> read(source, OBJECT, 0, 1));
            await().until(() -> each.count(RequestKind.READ) == 1);

            source.close();

            assertThat(fault(read)).isEqualTo(SourceFault.UNREACHABLE);
            assertThat(failure(() -> read(source, OBJECT, 0, 1)).fault()).isEqualTo(SourceFault.UNREACHABLE);
        }
    }

    @Test
    void anInterruptEndsOneReadAndNotTheConnection() throws Exception {
        FakeXrootd server = fixture.server((request, answers) -> {
            if (request.kind() != RequestKind.READ || request.offset() != 13) {
                files.answer(request, answers);
            }
        });
        XrootdSource source = fixture.source(server);
        read(source, OBJECT, 0, 1);
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<Boolean> wasInterrupted = async(() -> {
            reader.complete(Thread.currentThread());
            assertThat(failure(() -> read(source, OBJECT, 13, 1)).fault()).isEqualTo(SourceFault.UNREACHABLE);
            return Thread.interrupted();
        });
        await().until(() -> server.count(RequestKind.READ) == 2);

        reader.get().interrupt();

        assertThat(wasInterrupted.get()).isTrue();
        assertThat(read(source, OBJECT, 0, 5)).isEqualTo(Arrays.copyOf(CONTENT, 5));
        assertThat(server.connections()).isEqualTo(1);
    }

    /** The connection writes into the buffer of the caller, who cannot leave before the connection ends. */
    @Test
    void anInterruptWithinAnAnswerEndsTheConnectionAfterASecond() throws Exception {
        FakeXrootd server = except(
                RequestKind.READ,
                (request, answers) -> answers.raw(ByteBuffer.allocate(100)
                        .putShort((short) request.streamId())
                        .putShort((short) 0)
                        .putInt(1_000)
                        .array()));
        XrootdSource source = fixture.source(server);
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<byte[]> read = async(() -> {
            reader.complete(Thread.currentThread());
            return read(source, OBJECT, 0, 1_000);
        });
        await().until(() -> server.count(RequestKind.READ) == 1);

        reader.get().interrupt();
        await().until(() -> {
            fixture.clock.advanceMs(100);
            return read.isDone();
        });

        assertThat(fault(read)).isEqualTo(SourceFault.UNREACHABLE);
        assertThat(server.count(RequestKind.READ)).as("no further attempt").isEqualTo(1);
    }
}
