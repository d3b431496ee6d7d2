package io.chimera.dataset.source.xrootd;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Servers and sources of a test, and a clock under its control. */
final class XrootdFixture implements AutoCloseable {
    static final XrootdLimits LIMITS = new XrootdLimits(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(15),
            Duration.ofSeconds(600),
            Duration.ofSeconds(60),
            1,
            16,
            16,
            4,
            100_000,
            1_000);

    final ManualClock clock = new ManualClock();
    private final List<FakeXrootd> servers = new ArrayList<>();
    private final List<XrootdSource> sources = new ArrayList<>();

    FakeXrootd server(FakeXrootd.Script script) throws IOException {
        FakeXrootd server = new FakeXrootd(script);
        servers.add(server);
        return server;
    }

    XrootdSource source(FakeXrootd server) {
        return source(server, "", LIMITS);
    }

    XrootdSource source(FakeXrootd server, String opaque, XrootdLimits limits) {
        return source(server, opaque, limits, false);
    }

    XrootdSource source(FakeXrootd server, String opaque, XrootdLimits limits, boolean isChecksumListed) {
        XrootdUrl url = XrootdUrl.parse("root://127.0.0.1:" + server.port() + "//data?" + opaque);
        XrootdSource source = new XrootdSource(
                new XrootdSettings(url, "test", isChecksumListed, limits),
                new AllowedHosts(List.of("127.0.0.1")),
                null,
                clock);
        sources.add(source);
        return source;
    }

    static byte[] read(XrootdSource source, DataObject object, int offset, int length) throws SourceException {
        ByteBuffer into = ByteBuffer.allocate(length);
        source.read(object, offset, into);
        return into.array();
    }

    static SourceException failure(ThrowingCallable call) {
        SourceException failure = catchThrowableOfType(SourceException.class, call);
        if (failure == null) {
            throw new AssertionError("the call succeeded");
        }
        return failure;
    }

    /** Runs a call on a thread of its own; a call blocks its thread. */
    static <T> CompletableFuture<T> async(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(call.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "xrootd-call");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    static XrootdLimits limitsWithLanes(int lanes) {
        return limits(LIMITS.connect(), lanes);
    }

    static XrootdLimits limitsWithConnect(Duration connect) {
        return limits(connect, LIMITS.lanes());
    }

    private static XrootdLimits limits(Duration connect, int lanes) {
        return new XrootdLimits(
                connect,
                LIMITS.stall(),
                LIMITS.answer(),
                LIMITS.pause(),
                LIMITS.late(),
                LIMITS.idle(),
                lanes,
                LIMITS.connectionsMax(),
                LIMITS.requestsMax(),
                LIMITS.openFilesMax(),
                LIMITS.listingBytesMax(),
                LIMITS.objectsMax());
    }

    /** An object as listed from {@link FakeFiles} with its default time of change. */
    static DataObject object(String path, int length) {
        return object(path, length, Checksum.NONE);
    }

    static DataObject object(String path, int length, Checksum checksum) {
        return new DataObject(path, length, new ObjectVersion("1700000000-" + length, checksum));
    }

    @Override
    public void close() throws IOException {
        sources.forEach(XrootdSource::close);
        for (FakeXrootd server : servers) {
            server.close();
        }
    }
}
