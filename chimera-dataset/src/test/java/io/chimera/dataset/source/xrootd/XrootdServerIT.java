package io.chimera.dataset.source.xrootd;

import static io.chimera.common.agent.Waits.await;
import static io.chimera.dataset.source.xrootd.XrootdFixture.async;
import static io.chimera.dataset.source.xrootd.XrootdFixture.failure;
import static io.chimera.dataset.source.xrootd.XrootdFixture.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.SystemClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.Adler32;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interoperability with the XRootD server, redirector and client of Debian. */
final class XrootdServerIT {
    private static final int LENGTH = 20_000_003;
    private static final byte[] CONTENT = FakeFiles.random(LENGTH, 1);

    /** A redirector asks for pauses while a data server is not there; the pauses are reported at once. */
    private static final XrootdLimits LIMITS = new XrootdLimits(
            XrootdLimits.DEFAULT.connect(),
            XrootdLimits.DEFAULT.stall(),
            XrootdLimits.DEFAULT.answer(),
            Duration.ofSeconds(1),
            XrootdLimits.DEFAULT.late(),
            XrootdLimits.DEFAULT.idle(),
            XrootdLimits.DEFAULT.lanes(),
            XrootdLimits.DEFAULT.connectionsMax(),
            XrootdLimits.DEFAULT.requestsMax(),
            XrootdLimits.DEFAULT.openFilesMax(),
            XrootdLimits.DEFAULT.listingBytesMax(),
            XrootdLimits.DEFAULT.objectsMax());

    @TempDir
    Path folder;

    private final List<AutoCloseable> closeables = new ArrayList<>();
    private Path files = Path.of("");
    private int port;

    @BeforeEach
    void makeFiles() throws Exception {
        XrootdProcess.shared(folder);
        files = XrootdProcess.shared(folder.resolve("files"));
        Path run = Files.createDirectories(files.resolve("data/run1/deep"));
        Files.write(files.resolve("data/a.bin"), CONTENT);
        Files.write(run.resolve("b.bin"), Arrays.copyOf(CONTENT, 1));
        Files.write(run.resolve("empty.bin"), new byte[0]);
        Files.write(run.resolve("naïve name.bin"), Arrays.copyOf(CONTENT, 65_537));
        port = XrootdProcess.freePort();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = closeables.size() - 1; i >= 0; i--) {
            closeables.get(i).close();
        }
    }

    private XrootdProcess serve(String name, String more) throws Exception {
        XrootdProcess server = XrootdProcess.server(
                XrootdProcess.shared(folder.resolve(name)),
                "xrootd",
                "all.export /data\noss.localroot " + files + "\nxrd.port " + port + "\n" + more);
        closeables.add(server);
        return server.awaitPort(port);
    }

    private XrootdSource source(String scheme, String host, @Nullable SSLContext tls, boolean isChecksumListed) {
        XrootdUrl url = XrootdUrl.parse(scheme + "://" + host + ":" + port + "//data?authz=Bearer%20token");
        XrootdSource source = new XrootdSource(
                new XrootdSettings(url, "test", isChecksumListed, LIMITS),
                new AllowedHosts(List.of("127.0.0.1", "localhost")),
                tls,
                new SystemClock());
        closeables.add(source);
        return source;
    }

    private XrootdSource source() {
        return source("root", "127.0.0.1", null, false);
    }

    private static String adler32(byte[] bytes) {
        Adler32 sum = new Adler32();
        sum.update(bytes);
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    @Test
    void readsTheSameBytesAsXrdcp() throws Exception {
        serve("server", "xrootd.chksum adler32\n");
        XrootdSource source = source("root", "127.0.0.1", null, true);

        List<DataObject> objects = source.list("**/*.bin");

        assertThat(objects)
                .extracting(DataObject::path)
                .containsExactly("a.bin", "run1/deep/b.bin", "run1/deep/empty.bin", "run1/deep/naïve name.bin");
        for (DataObject object : objects) {
            Path copy = folder.resolve("copy");
            XrootdProcess.run(
                    folder, "xrdcp", "-f", "-s", "root://127.0.0.1:" + port + "//data/" + object.path(), "" + copy);
            byte[] expected = Files.readAllBytes(copy);
            assertThat(expected).hasSize((int) object.length());
            assertThat(read(source, object, 0, expected.length)).isEqualTo(expected);
            assertThat(object.version().checksum())
                    .isEqualTo(new Checksum(Checksum.Algorithm.ADLER32, adler32(expected)));
        }
        assertThat(source.list("run1/*/b.bin")).hasSize(1);
        assertThat(source.list("none/*")).isEmpty();
    }

    @Test
    void readsWithManyThreadsAndVectors() throws Exception {
        serve("server", "");
        XrootdSource source = source();
        DataObject object = source.list("a.bin").get(0);

        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Random random = new Random(i);
            threads.add(async(() -> {
                for (int count = 0; count < 25; count++) {
                    int length = random.nextInt(600_000);
                    int offset = random.nextInt(LENGTH - length);
                    ByteBuffer into =
                            random.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
                    source.read(object, offset, into);
                    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(CONTENT, offset, length));
                    source.readVector(
                            object,
                            List.of(new VectorPart(offset, into.clear()), new VectorPart(3, ByteBuffer.allocate(5))));
                    assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(CONTENT, offset, length));
                }
                return 1;
            }));
        }

        for (CompletableFuture<Integer> thread : threads) {
            assertThat(thread.get()).isEqualTo(1);
        }
        assertThat(source.openFiles()).isBetween(1, LIMITS.lanes());
    }

    @Test
    void noticesChangedAndMissingFiles() throws Exception {
        serve("server", "");
        XrootdSource source = source();
        DataObject object = source.list("run1/deep/b.bin").get(0);
        Path file = files.resolve("data/run1/deep/b.bin");
        read(source, object, 0, 1);

        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_000L));
        assertThat(failure(() -> read(source, object, 0, 1)).fault()).isEqualTo(SourceFault.CHANGED);
        Files.delete(file);
        assertThat(failure(() -> read(source, object, 0, 1)).fault()).isEqualTo(SourceFault.NOT_FOUND);
    }

    @Test
    void readsAfterARestartOfTheServer() throws Exception {
        XrootdProcess server = serve("server", "");
        XrootdSource source = source();
        DataObject object = source.list("a.bin").get(0);
        read(source, object, 0, 10);

        server.close();
        assertThat(failure(() -> read(source, object, 0, 10)).fault()).isEqualTo(SourceFault.UNREACHABLE);
        serve("server2", "");
        assertThat(read(source, object, 5, 10)).isEqualTo(Arrays.copyOfRange(CONTENT, 5, 15));
    }

    @Test
    void refusesALoginThatNeedsAPlugin() throws Exception {
        serve("server", "xrootd.seclib libXrdSec.so\nsec.protocol unix\n");

        SourceException failure = failure(() -> source().list("a.bin"));

        assertThat(failure.fault()).isEqualTo(SourceFault.UNSUPPORTED);
        assertThat(failure).hasMessageContaining("unix");
    }

    @Test
    void readsOverTls() throws Exception {
        TlsFiles tls = TlsFiles.create(folder);
        serve(
                "server",
                "xrd.tls " + tls.certificate() + " " + tls.key() + "\nxrd.tlsca noverify\nxrootd.tls capable all\n");

        for (String scheme : List.of("roots", "root")) {
            XrootdSource source = source(scheme, "localhost", tls.context(), false);
            DataObject object = source.list("a.bin").get(0);
            assertThat(read(source, object, 0, LENGTH)).isEqualTo(CONTENT);
        }
        assertThat(failure(() -> source("roots", "localhost", null, false).list("a.bin")))
                .hasMessageContaining("certificate")
                .extracting(SourceException::fault)
                .isEqualTo(SourceFault.UNREACHABLE);
        assertThat(failure(() -> source("roots", "127.0.0.1", tls.context(), false)
                                .list("a.bin"))
                        .fault())
                .as("the certificate names another host")
                .isEqualTo(SourceFault.UNREACHABLE);
    }

    @Test
    void readsFromAClusterThroughItsRedirector() throws Exception {
        int clusterPort = XrootdProcess.freePort();
        String data = "all.role server\nall.manager 127.0.0.1:" + clusterPort + "\n";
        XrootdProcess server = serve("data", data);
        closeables.add(XrootdProcess.server(
                folder.resolve("data"), "cmsd", "all.export /data\noss.localroot " + files + "\n" + data));
        port = XrootdProcess.freePort();
        String manager = "all.role manager\nall.manager 127.0.0.1:" + clusterPort
                + "\nall.export /data\ncms.delay startup 1 servers 1 lookup 1\n";
        Path home = XrootdProcess.shared(folder.resolve("manager"));
        closeables.add(XrootdProcess.server(home, "cmsd", manager + "xrd.port " + clusterPort + "\n"));
        closeables.add(XrootdProcess.server(home, "xrootd", manager + "xrd.port " + port + "\n")
                .awaitPort(port));
        XrootdSource source = source();

        await().ignoreExceptionsInstanceOf(SourceException.class)
                .until(() -> source.list("**").size() == 4);
        DataObject object = source.list("a.bin").get(0);
        assertThat(read(source, object, 0, LENGTH)).isEqualTo(CONTENT);

        server.close();
        assertThat(failure(() -> read(source, object, 0, 10)).fault().isRetryable())
                .isTrue();
    }
}
