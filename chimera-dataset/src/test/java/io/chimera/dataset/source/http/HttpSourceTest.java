package io.chimera.dataset.source.http;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.Checksum.Algorithm;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.ScriptedServer.Request;
import io.chimera.dataset.source.http.ScriptedServer.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** Answers of good servers. {@link HttpDefectsTest} has the others. */
final class HttpSourceTest {
    private static final byte[] CONTENT = "0123456789".getBytes(StandardCharsets.US_ASCII);

    private final List<AutoCloseable> open = new ArrayList<>();

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

    private HttpSource source(ScriptedServer server, HttpCredentials credentials, boolean asksDigest) {
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create(server.url("/data")), credentials, asksDigest),
                new HttpSettings(4, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(10), null),
                new AllowedHosts(List.of("127.0.0.1")),
                new ManualClock());
        open.add(0, source);
        return source;
    }

    private HttpSource source(ScriptedServer server) {
        return source(server, HttpCredentials.NONE, false);
    }

    /** Serves {@link #CONTENT} with ranges and one ETag. */
    private static void serve(Request request, ScriptedServer.Wire wire) throws IOException {
        String range = request.headers().get("range");
        if (range == null) {
            wire.answer(200, CONTENT, "ETag: \"v1\"", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT");
            return;
        }
        String[] ends = range.substring("bytes=".length()).split("-", 2);
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[1]) + 1;
        wire.answer(
                206,
                Arrays.copyOfRange(CONTENT, from, to),
                "ETag: \"v1\"",
                "Content-Range: bytes " + from + "-" + (to - 1) + "/" + CONTENT.length);
    }

    private static DataObject object(String tag) {
        return new DataObject("a b+c.csv", CONTENT.length, new ObjectVersion(tag, Checksum.NONE));
    }

    @Test
    void listsOneObjectByHead() throws IOException {
        ScriptedServer server = server(HttpSourceTest::serve);
        DataObject listed = source(server).list("x/a b+c.csv").get(0);

        assertThat(listed).isEqualTo(new DataObject("x/a b+c.csv", 10, new ObjectVersion("\"v1\"", Checksum.NONE)));
        Request request = server.requests().get(0);
        assertThat(request.method()).isEqualTo("HEAD");
        assertThat(request.target()).isEqualTo("/data/x/a%20b%2Bc.csv");
        assertThat(request.headers()).containsEntry("accept-encoding", "identity");
        assertThat(request.headers()).doesNotContainKeys("authorization", "cookie", "upgrade", "want-digest");
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "0, 1", "9, 1", "3, 4"})
    void readsRanges(int offset, int length) throws IOException {
        ScriptedServer server = server(HttpSourceTest::serve);
        ByteBuffer into = ByteBuffer.allocateDirect(length);
        source(server).read(object("\"v1\""), offset, into);

        byte[] read = new byte[length];
        into.flip().get(read);
        assertThat(read).isEqualTo(Arrays.copyOfRange(CONTENT, offset, offset + length));
        assertThat(server.requests().get(0).headers())
                .containsEntry("range", "bytes=" + offset + "-" + (offset + length - 1))
                .containsEntry("if-match", "\"v1\"");
    }

    @Test
    void contactsServersByIpv6() throws IOException {
        ScriptedServer server;
        try {
            server = ScriptedServer.start("::1", HttpSourceTest::serve);
        } catch (UncheckedIOException e) {
            throw new TestAbortedException("no IPv6 on this machine", e);
        }
        open.add(server);
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create("http://[::1]:" + server.port()), HttpCredentials.NONE, false),
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("[::1]")),
                new ManualClock());
        open.add(0, source);
        assertThat(source.list("a")).hasSize(1);
        assertThat(server.requests().get(0).headers()).containsEntry("host", "[::1]:" + server.port());
    }

    @Test
    void keepsConnectionsAlive() throws IOException {
        ScriptedServer server = server(HttpSourceTest::serve);
        HttpSource source = source(server);
        for (int i = 0; i < 20; i++) {
            source.read(object("\"v1\""), i % 10, ByteBuffer.allocate(1));
        }
        assertThat(server.requests()).hasSize(20);
        assertThat(server.accepted()).isEqualTo(1);
    }

    @Test
    void manyThreadsShareABoundedNumberOfConnections() throws Exception {
        ScriptedServer server = server(HttpSourceTest::serve);
        HttpSource source = source(server);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Byte>> reads = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int offset = i % 10;
                reads.add(threads.submit(() -> {
                    ByteBuffer into = ByteBuffer.allocate(1);
                    source.read(object("\"v1\""), offset, into);
                    return into.get(0);
                }));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(reads.get(i).get()).isEqualTo(CONTENT[i % 10]);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(server.accepted()).isBetween(1, 4);
    }

    @Test
    void acceptsAWholeObjectInsteadOfTheWholeRange() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(200, CONTENT, "ETag: \"v1\""));
        ByteBuffer into = ByteBuffer.allocate(10);
        source(server).read(object("\"v1\""), 0, into);
        assertThat(into.array()).isEqualTo(CONTENT);
    }

    @Test
    void readsChunkedBodies() throws IOException {
        ScriptedServer server = server((request, wire) -> {
            wire.head(206, "Transfer-Encoding: chunked", "Content-Range: bytes 0-3/10");
            wire.text("1\r\n0\r\n3\r\n123\r\n0\r\n\r\n");
        });
        HttpSource source = source(server);
        for (int i = 0; i < 3; i++) {
            ByteBuffer into = ByteBuffer.allocate(4);
            source.read(object(""), 0, into);
            assertThat(into.array()).asString(StandardCharsets.US_ASCII).isEqualTo("0123");
        }
        assertThat(server.accepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 400, 403, 405, 501})
    void asksForOneByteWhenHeadIsRefused(int status) throws IOException {
        ScriptedServer server = server((request, wire) -> {
            if (request.method().equals("HEAD")) {
                wire.head(status, status == 204 ? "Server: x" : "Content-Length: 0");
            } else {
                serve(request, wire);
            }
        });
        assertThat(source(server).list("a").get(0).length()).isEqualTo(10);
        assertThat(server.requests().get(1).headers()).containsEntry("range", "bytes=0-0");
    }

    @Test
    void asksForOneByteWhenHeadTellsNoLength() throws IOException {
        ScriptedServer server = server((request, wire) -> {
            if (request.method().equals("HEAD")) {
                wire.head(200, "Transfer-Encoding: chunked");
            } else {
                wire.answer(200, CONTENT);
            }
        });
        assertThat(source(server).list("a").get(0)).isEqualTo(new DataObject("a", 10, ObjectVersion.UNKNOWN));
    }

    @Test
    void anEmptyObjectHasNoFirstByte() throws IOException {
        ScriptedServer server = server((request, wire) -> {
            if (request.method().equals("HEAD")) {
                wire.answer(405, new byte[0]);
            } else {
                wire.answer(416, new byte[0], "Content-Range: bytes */0");
            }
        });
        assertThat(source(server).list("a").get(0).length()).isZero();
    }

    @Test
    void anObjectWithoutLengthIsUnsupported() {
        ScriptedServer server = server((request, wire) -> {
            wire.head(200, "Transfer-Encoding: chunked");
            if (request.method().equals("GET")) {
                wire.text("1\r\n0\r\n0\r\n\r\n");
            }
        });
        assertFault(SourceFault.UNSUPPORTED, () -> source(server).list("a"), "length");
    }

    @Test
    void aMissingObjectMakesAnEmptyList() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(404, new byte[3]));
        assertThat(source(server).list("a")).isEmpty();
    }

    @Test
    void patternsAreUnsupported() {
        ScriptedServer server = server(HttpSourceTest::serve);
        assertFault(SourceFault.UNSUPPORTED, () -> source(server).list("*.csv"), "name every object");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void weakEtagsAndTimesFallBackToTimeAndLength() throws IOException {
        ScriptedServer server = server((request, wire) ->
                wire.answer(200, CONTENT, "ETag: W/\"v1\"", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"));
        HttpSource source = source(server);
        DataObject listed = source.list("a").get(0);
        assertThat(listed.version().tag()).isEqualTo("modified=1767225600;length=10");

        source.read(listed, 0, ByteBuffer.allocate(10));
        assertThat(server.requests().get(1).headers())
                .containsEntry("if-unmodified-since", "Thu, 01 Jan 2026 00:00:00 GMT")
                .doesNotContainKey("if-match");
    }

    @Test
    void asksForChecksumsAndTakesTheStrongest() throws IOException {
        ScriptedServer server = server((request, wire) ->
                wire.answer(200, CONTENT, "Digest: adler32=3da0195", "Content-MD5: eB5eJF1ptWaXm4bijSPyxw=="));
        DataObject listed = source(server, HttpCredentials.NONE, true).list("a").get(0);
        assertThat(listed.version().checksum())
                .isEqualTo(new Checksum(Algorithm.MD5, "781e5e245d69b566979b86e28d23f2c7"));
        assertThat(server.requests().get(0).headers().get("want-digest")).contains("adler32");
    }

    @Test
    void sendsCredentials() throws IOException {
        ScriptedServer server = server(HttpSourceTest::serve);
        source(server, HttpCredentials.basic("me", "pass:word"), false).list("a");
        source(server, HttpCredentials.bearer("to.ken"), false).read(object(""), 0, ByteBuffer.allocate(1));
        assertThat(server.requests())
                .extracting(request -> request.headers().get("authorization"))
                .containsExactly("Basic bWU6cGFzczp3b3Jk", "Bearer to.ken");
    }

    @Test
    void followsRedirectsOfTheSameServerWithCredentials() throws IOException {
        ScriptedServer server = server((request, wire) -> {
            if (request.target().startsWith("/data/")) {
                wire.answer(307, new byte[9], "Location: /moved/a?ticket=1");
            } else {
                serve(request, wire);
            }
        });
        HttpSource source = source(server, HttpCredentials.bearer("token"), false);
        source.read(object(""), 0, ByteBuffer.allocate(4));
        Request last = server.requests().get(1);
        assertThat(last.target()).isEqualTo("/moved/a?ticket=1");
        assertThat(last.headers())
                .containsEntry("authorization", "Bearer token")
                .containsEntry("range", "bytes=0-3");
        assertThat(server.accepted()).isEqualTo(1);
    }

    @Test
    void sendsNoCredentialsToAnotherServer() throws IOException {
        ScriptedServer other = server(HttpSourceTest::serve);
        ScriptedServer server =
                server((request, wire) -> wire.answer(302, new byte[0], "Location: " + other.url("/moved")));
        source(server, HttpCredentials.bearer("token"), false).read(object(""), 0, ByteBuffer.allocate(4));
        assertThat(server.requests().get(0).headers()).containsKey("authorization");
        assertThat(other.requests().get(0).headers()).doesNotContainKey("authorization");
    }

    @Test
    void closingEndsReadsUnderWay() throws Exception {
        ScriptedServer server = server((request, wire) -> {
            wire.head(206, "Content-Length: 4", "Content-Range: bytes 0-3/10");
            wire.stall();
        });
        HttpSource source = source(server);
        AtomicReference<SourceException> end = new AtomicReference<>();
        Thread reader = new Thread(() -> end.set(
                catchThrowableOfType(SourceException.class, () -> source.read(object(""), 0, ByteBuffer.allocate(4)))));
        reader.start();
        await().until(() -> server.requests().size() == 1);
        source.close();
        reader.join();
        assertThat(end.get().fault()).isEqualTo(SourceFault.UNREACHABLE);
        assertFault(SourceFault.UNREACHABLE, () -> source.list("a"), "closed");
    }

    @Test
    void aPortWithoutServerIsUnreachable() throws IOException {
        int port;
        try (ServerSocket unused = new ServerSocket(0)) {
            port = unused.getLocalPort();
        }
        HttpSource source = new HttpSource(
                new HttpLocation(URI.create("http://127.0.0.1:" + port), HttpCredentials.NONE, false),
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("127.0.0.1")),
                new ManualClock());
        open.add(source);
        assertFault(SourceFault.UNREACHABLE, () -> source.list("a"), "127.0.0.1:" + port);
    }

    private static void assertFault(SourceFault fault, ThrowingCallable call, String keyWord) {
        SourceException thrown = catchThrowableOfType(SourceException.class, call);
        assertThat(thrown.fault()).isEqualTo(fault);
        assertThat(thrown).hasMessageContaining(keyWord);
    }
}
