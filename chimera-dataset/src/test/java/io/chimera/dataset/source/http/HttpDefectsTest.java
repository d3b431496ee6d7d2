package io.chimera.dataset.source.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.ScriptedServer.Script;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that refuse, lie, stall, close and redirect. */
final class HttpDefectsTest {
    private static final String SECRET = "s3cr3t";
    private static final String HALF_BODY =
            "HTTP/1.1 206 X\r\nContent-Length: 4\r\nContent-Range: bytes 0-3/10\r\n\r\nab";
    private static final String LONG_HEAD =
            "HTTP/1.1 206 X\r\nContent-Length: 4000000\r\nContent-Range: bytes 0-3999999/4000000\r\n\r\n";

    private final List<AutoCloseable> open = new ArrayList<>();
    private Duration readTimeout = Duration.ofMinutes(1);
    private Duration callTimeout = Duration.ofMinutes(10);

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private ScriptedServer server(Script script) {
        ScriptedServer server = ScriptedServer.start(script);
        open.add(server);
        return server;
    }

    private HttpSource source(ScriptedServer server) {
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create(server.url("/")), HttpCredentials.bearer(SECRET), false),
                new HttpSettings(4, Duration.ofMinutes(1), readTimeout, callTimeout, null),
                new AllowedHosts(List.of("127.0.0.1:" + server.port())),
                new ManualClock());
        open.add(0, source);
        return source;
    }

    private static DataObject object(String tag) {
        return new DataObject("folder/a.csv", 10, new ObjectVersion(tag, Checksum.NONE));
    }

    /** Reads bytes 0 to 3 of 10 from the script; returns the failure. */
    private SourceException failure(String tag, Script script) {
        return failure(tag, 4, server(script));
    }

    private SourceException failure(String tag, int length, ScriptedServer server) {
        HttpSource source = source(server);
        SourceException failure = catchThrowableOfType(
                SourceException.class, () -> source.read(object(tag), 0, ByteBuffer.allocate(length)));
        assertThat(failure).isNotNull();
        assertThat(failure).hasMessageContaining("folder/a.csv").hasMessageContaining("127.0.0.1");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain(SECRET);
        }
        return failure;
    }

    @ParameterizedTest
    @CsvSource({
        "400, UNSUPPORTED",
        "401, UNAUTHENTICATED",
        "403, FORBIDDEN",
        "404, NOT_FOUND",
        "405, UNSUPPORTED",
        "407, UNAUTHENTICATED",
        "408, STALLED",
        "410, NOT_FOUND",
        "412, CHANGED",
        "416, RANGE_REFUSED",
        "429, BUSY",
        "500, SERVER_FAILED",
        "501, UNSUPPORTED",
        "502, SERVER_FAILED",
        "503, BUSY",
        "504, SERVER_FAILED",
        "599, SERVER_FAILED",
        "202, BAD_ANSWER",
        "204, BAD_ANSWER",
        "304, BAD_ANSWER",
        "305, BAD_ANSWER",
        "600, BAD_ANSWER"
    })
    void statusCodesHaveReasons(int status, SourceFault fault) {
        SourceException failure = failure("", (request, wire) -> {
            wire.head(status, "Content-Length: 0");
        });
        assertThat(failure.fault()).isEqualTo(fault);
        assertThat(failure.retryAfter()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "0, 0", "100000, 300", "'Thu, 01 Jan 2026 00:01:00 GMT', 60", "soon, 0"})
    void aBusyServerNamesThePause(String retryAfter, int seconds) {
        SourceException failure =
                failure("", (request, wire) -> wire.answer(503, new byte[0], "Retry-After: " + retryAfter));
        assertThat(failure.fault()).isEqualTo(SourceFault.BUSY);
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({
        "bytes 0-3/11, CHANGED",
        "bytes 0-3/9, CHANGED",
        "bytes 1-4/10, RANGE_REFUSED",
        "bytes 0-4/10, RANGE_REFUSED",
        "bytes 0-2/10, RANGE_REFUSED",
        "bytes 0-3, BAD_ANSWER",
        "bytes */10, RANGE_REFUSED",
        "lines 0-3/10, BAD_ANSWER",
        "bytes 3-0/10, BAD_ANSWER"
    })
    void aRangeMustBeTheRequestedRange(String contentRange, SourceFault fault) {
        SourceException failure =
                failure("", (request, wire) -> wire.answer(206, new byte[4], "Content-Range: " + contentRange));
        assertThat(failure.fault()).isEqualTo(fault);
    }

    @Test
    void aRangeWithoutContentRangeIsABadAnswer() {
        assertThat(failure("", (request, wire) -> wire.answer(206, new byte[4])).fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 1 << 20})
    void aDeclaredLengthMustBeTheLengthOfTheRange(int length) {
        SourceException failure =
                failure("", (request, wire) -> wire.answer(206, new byte[length], "Content-Range: bytes 0-3/10"));
        assertThat(failure.fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3\r\nabc\r\n0\r\n\r\n",
                "5\r\nabcde\r\n0\r\n\r\n",
                "xyz\r\n",
                "fffffffffffffffff\r\nabc",
                "-1\r\n"
            })
    void aChunkedBodyMustHaveTheLengthOfTheRange(String body) {
        SourceException failure = failure("", (request, wire) -> {
            wire.head(206, "Transfer-Encoding: chunked", "Content-Range: bytes 0-3/10");
            wire.text(body);
            wire.close();
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void aBodyThatEndsEarlyIsABadAnswer() {
        SourceException failure = failure("", (request, wire) -> {
            wire.head(206, "Content-Length: 4", "Content-Range: bytes 0-3/10");
            wire.bytes(new byte[2]);
            wire.close();
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 6})
    void aBodyUntilTheCloseMustHaveTheLengthOfTheRange(int length) {
        SourceException failure = failure("", (request, wire) -> {
            wire.head(206, "Content-Range: bytes 0-3/10", "Connection: close");
            wire.bytes(new byte[length]);
            wire.close();
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void aServerWithoutRangesServesOnlyWholeObjects() {
        assertThat(failure("", (request, wire) -> wire.answer(200, new byte[10]))
                        .fault())
                .isEqualTo(SourceFault.RANGE_REFUSED);
        assertThat(failure("", 10, server((request, wire) -> wire.answer(200, new byte[11])))
                        .fault())
                .isEqualTo(SourceFault.CHANGED);
    }

    @Test
    void aRefusedRangeOfAShorterObjectIsAChange() {
        SourceException failure =
                failure("", (request, wire) -> wire.answer(416, new byte[0], "Content-Range: bytes */3"));
        assertThat(failure.fault()).isEqualTo(SourceFault.CHANGED);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"v1\"', ETag: \"v2\"",
        "'\"v1\"', ETag: W/\"v2\"",
        "modified=1767225600;length=10, 'Last-Modified: Thu, 01 Jan 2026 00:00:01 GMT'"
    })
    void anotherVersionIsAChangeThoughTheServerIgnoresConditions(String tag, String header) {
        SourceException failure =
                failure(tag, (request, wire) -> wire.answer(206, new byte[4], "Content-Range: bytes 0-3/10", header));
        assertThat(failure.fault()).isEqualTo(SourceFault.CHANGED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClosedConnectionIsUnreachable(boolean isReset) {
        SourceException failure = failure("", (request, wire) -> {
            if (isReset) {
                wire.reset();
            } else {
                wire.close();
            }
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.UNREACHABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-x\r\n\r\n",
                "HTTP/1.1 abc\r\n\r\n",
                "HTTP/1.1 200 X\r\nno colon\r\n\r\n",
                "\r\n\r\n\r\n\r\n"
            })
    void anAnswerThatIsNoHttpIsABadAnswer(String text) {
        SourceException failure = failure("", (request, wire) -> {
            wire.text(text);
            wire.close();
        });
        assertThat(failure.fault()).isIn(SourceFault.BAD_ANSWER, SourceFault.UNREACHABLE);
        assertThat(failure.fault().isRetryable()).isTrue();
    }

    @Test
    void headersAreBounded() {
        assertThat(failure("", (request, wire) -> wire.head(200, "X: " + "y".repeat(1 << 20)))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(failure(
                                "",
                                (request, wire) ->
                                        wire.head(200, "X: y\r\n".repeat(10_000).strip()))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 206 X\r\nContent-", HALF_BODY})
    void aServerThatSendsNothingMoreIsStalled(String text) {
        readTimeout = Duration.ofMillis(50);
        SourceException failure = failure("", (request, wire) -> {
            wire.text(text);
            wire.stall();
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.STALLED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 206 X\r\nX: ", LONG_HEAD})
    void aServerThatSendsSlowlyEndsWithTheTimeOfTheCall(String text) {
        callTimeout = Duration.ofMillis(300);
        ScriptedServer server = server((request, wire) -> {
            wire.text(text);
            while (wire.pause(5)) {
                wire.text("x");
            }
        });
        DataObject large = new DataObject("a", 4_000_000, ObjectVersion.UNKNOWN);
        HttpSource source = source(server);
        SourceException failure = catchThrowableOfType(
                SourceException.class, () -> source.read(large, 0, ByteBuffer.allocate(4_000_000)));
        assertThat(failure.fault()).isEqualTo(SourceFault.STALLED);
        assertThat(failure).hasMessageContaining("300 ms");
    }

    @Test
    void aLongBodyThatNobodyWantsIsNotRead() {
        AtomicLong sent = new AtomicLong();
        SourceException failure = failure("", (request, wire) -> {
            wire.head(200, "Content-Length: 1000000000000");
            while (wire.pause(0)) {
                wire.bytes(new byte[1 << 20]);
                sent.addAndGet(1 << 20);
            }
        });
        assertThat(failure.fault()).isEqualTo(SourceFault.CHANGED);
        assertThat(sent.get()).isLessThan(1L << 30);
    }

    @Test
    void redirectsInACircleEnd() {
        ScriptedServer server = server((request, wire) ->
                wire.answer(302, new byte[0], "Location: " + (request.target().equals("/x") ? "/folder/a.csv" : "/x")));
        assertThat(failure("", 4, server).fault()).isEqualTo(SourceFault.REDIRECTS);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void redirectsWithoutEndEnd() {
        ScriptedServer server =
                server((request, wire) -> wire.answer(301, new byte[0], "Location: " + request.target() + "x"));
        assertThat(failure("", 4, server).fault()).isEqualTo(SourceFault.REDIRECTS);
        assertThat(server.requests()).hasSize(1 + Redirects.HOPS_MAX);
    }

    @Test
    void aRedirectToAHostThatIsNotAllowedIsRefused() {
        ScriptedServer other = server((request, wire) -> wire.answer(200, new byte[10]));
        SourceException failure = failure(
                "", (request, wire) -> wire.answer(302, new byte[0], "Location: " + other.url("/?token=" + SECRET)));
        assertThat(failure.fault()).isEqualTo(SourceFault.NOT_ALLOWED);
        assertThat(other.accepted()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "file:///etc/passwd, UNSUPPORTED",
        "ftp://127.0.0.1/a, UNSUPPORTED",
        "http://user:s3cr3t@127.0.0.1/a, BAD_ANSWER",
        "http://127.0.0.1/a#b, BAD_ANSWER",
        "http://a_b/, UNSUPPORTED",
        "http://127.0.0.1:99999/, UNSUPPORTED",
        "http://127.0.0.1:0/, NOT_ALLOWED",
        "'http://[::1', BAD_ANSWER",
        "'', BAD_ANSWER",
        "//127.0.0.1:1/a, NOT_ALLOWED"
    })
    void addressesOfRedirectsAreChecked(String location, SourceFault fault) {
        SourceException failure =
                failure("", (request, wire) -> wire.answer(302, new byte[0], "Location: " + location));
        assertThat(failure.fault()).isEqualTo(fault);
    }

    @Test
    void aRedirectToAPathWithTwoSlashesIsFollowedOrRefused() {
        ScriptedServer[] server = new ScriptedServer[1];
        server[0] = server((request, wire) -> {
            if (request.target().startsWith("//")) {
                wire.answer(404, new byte[0]);
            } else {
                wire.answer(302, new byte[0], "Location: " + server[0].url("//x"));
            }
        });
        assertThat(failure("", 4, server[0]).fault()).isIn(SourceFault.NOT_FOUND, SourceFault.UNSUPPORTED);
    }

    @Test
    void aRedirectWithoutAddressIsABadAnswer() {
        assertThat(failure("", (request, wire) -> wire.answer(302, new byte[0])).fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void aHostThatIsNotAllowedIsNotContacted() {
        ScriptedServer server = server((request, wire) -> wire.answer(200, new byte[10]));
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create(server.url("/")), HttpCredentials.NONE, false),
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("example.org", "127.0.0.1:1")),
                new ManualClock());
        open.add(0, source);
        assertThat(catchThrowableOfType(SourceException.class, () -> source.list("a"))
                        .fault())
                .isEqualTo(SourceFault.NOT_ALLOWED);
        assertThat(server.accepted()).isZero();
    }
}
