package io.chimera.dataset.job;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.dataset.copy.CopyLimits;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.copy.CopyStore;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.CountingProxy;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ServerProcess;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.file.FolderSource;
import io.chimera.dataset.source.http.HttpCredentials;
import io.chimera.dataset.source.http.HttpLocation;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpSource;
import io.chimera.dataset.source.replica.ReplicaSource;
import io.chimera.dataset.source.s3.S3Location;
import io.chimera.dataset.source.s3.S3ProxyProcess;
import io.chimera.dataset.source.s3.S3Source;
import io.chimera.dataset.source.xrootd.XrootdProcess;
import io.chimera.dataset.source.xrootd.XrootdSettings;
import io.chimera.dataset.source.xrootd.XrootdSource;
import io.chimera.dataset.source.xrootd.XrootdUrl;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs over real servers, with copies and with replicas, compared with a job over the local file. */
final class ServerJobsIT {
    private static final byte[] CONTENT = JobRig.csv(0, 60_000);
    private static final List<String> OBJECT = List.of("a.csv");
    private static final AllowedHosts LOOPBACK = new AllowedHosts(List.of("127.0.0.1"));

    /** Reads of a replica before its server ends: about a quarter of the job. */
    private static final int READS_BEFORE_END = CONTENT.length / JobRig.RANGE / 4;

    @TempDir
    Path folder;

    private final Clock clock = new SystemClock();
    private final ManualClock jobClock = new ManualClock();
    private final List<AutoCloseable> closeables = new ArrayList<>();
    private Path files = Path.of("");
    private String rows = "";

    /** A source whose reads are counted. */
    private static final class Observed implements DataSource {
        private final DataSource source;
        private final AtomicInteger reads = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private Runnable atRead = () -> {};

        Observed(DataSource source) {
            this.source = source;
        }

        @Override
        public String place() {
            return source.place();
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            return source.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            if (reads.incrementAndGet() == READS_BEFORE_END) {
                atRead.run();
            }
            try {
                source.read(object, offset, into);
            } catch (SourceException e) {
                failures.incrementAndGet();
                throw e;
            }
        }

        @Override
        public void close() {
            source.close();
        }
    }

    @BeforeEach
    void computeRows() throws IOException {
        XrootdProcess.shared(folder);
        files = XrootdProcess.shared(folder.resolve("files"));
        Files.write(Files.createDirectory(files.resolve("data")).resolve("a.csv"), CONTENT);
        rows = rows("local", new FolderSource(files.resolve("data"), 10));
        assertThat(rows).isNotEmpty();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = closeables.size() - 1; i >= 0; i--) {
            closeables.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        closeables.add(resource);
        return resource;
    }

    private String rows(String job, DataSource source) throws IOException {
        new JobRig(folder.resolve(job), jobClock).run(source, OBJECT, JobRig.CSV, BadInput.DEFAULT);
        return Files.readString(folder.resolve(job).resolve("rows.lp"));
    }

    // Servers

    private ServerProcess nginx(int port) throws IOException {
        String program = ServerProcess.program("nginx", "nginx-light");
        Path home = Files.createDirectory(folder.resolve("nginx" + port));
        Path config = Files.writeString(home.resolve("nginx.conf"), """
                daemon off;
                worker_processes 1;
                user root;
                pid nginx.pid;
                error_log stderr;
                events {}
                http {
                  access_log off;
                  client_body_temp_path tmp;
                  server { listen 127.0.0.1:%d; root %s; }
                }
                """.formatted(port, files));
        ServerProcess nginx = closing(ServerProcess.start(
                home, List.of(program, "-p", home.toString(), "-e", "stderr", "-c", config.toString())));
        await("nginx listens").until(() -> {
            nginx.saidAlive();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        return nginx;
    }

    private HttpSource http(int port) {
        URI base = URI.create("http://127.0.0.1:" + port + "/data");
        return closing(new HttpSource(
                new HttpLocation(base, HttpCredentials.NONE, false), HttpSettings.DEFAULT, LOOPBACK, clock));
    }

    private S3Source s3(int port) {
        URI endpoint = URI.create("http://127.0.0.1:" + port);
        return closing(new S3Source(
                new S3Location(endpoint, "us-east-1", "bucket", "data", S3Location.Style.PATH),
                S3ProxyProcess.KEY,
                10,
                HttpSettings.DEFAULT,
                LOOPBACK,
                clock));
    }

    private XrootdSource xrootd(int port) {
        XrootdUrl url = XrootdUrl.parse("root://127.0.0.1:" + port + "//data");
        return closing(
                new XrootdSource(new XrootdSettings(url, "test", false, XrootdLimits.DEFAULT), LOOPBACK, null, clock));
    }

    // Copies

    /** The second job sees other answers of the server than the data: they are shorter than a block. */
    private void assertSecondJobReadsNoBlock(int serverPort, IntFunction<? extends DataSource> open) throws Exception {
        CountingProxy proxy = closing(new CountingProxy(serverPort));

        assertThat(copied("first", open.apply(proxy.port()))).isEqualTo(rows);
        assertThat(proxy.takeAnswered()).as("bytes for the first job").isGreaterThan(CONTENT.length);
        assertThat(copied("second", open.apply(proxy.port()))).isEqualTo(rows);
        assertThat(proxy.takeAnswered()).as("bytes for the second job").isBetween(1L, JobRig.RANGE - 1L);
    }

    private String copied(String job, DataSource source) throws IOException {
        CopyLimits limits = new CopyLimits(1L << 30, Duration.ofDays(1), JobRig.RANGE);
        try (CopyStore store = CopyStore.open(folder.resolve("copies"), limits, jobClock);
                CopySource copies = new CopySource(source, "", store, jobClock)) {
            JobProgress end = new JobRig(folder.resolve(job), jobClock)
                    .run(
                            source,
                            OBJECT,
                            JobRig.CSV,
                            BadInput.DEFAULT,
                            Optional.of(copies),
                            SplitStrategies.always(Strategy.COPY));
            assertThat(end.meters().copies().readBytes()).isGreaterThanOrEqualTo(CONTENT.length);
        }
        return Files.readString(folder.resolve(job).resolve("rows.lp"));
    }

    @Test
    void aSecondJobReadsTheCopiesOfNginx() throws Exception {
        int port = ServerProcess.freePort();
        nginx(port);

        assertSecondJobReadsNoBlock(port, this::http);
    }

    @Test
    void aSecondJobReadsTheCopiesOfS3Proxy() throws Exception {
        S3ProxyProcess server = closing(S3ProxyProcess.start(Files.createDirectory(folder.resolve("s3"))));
        server.bucket("bucket", "rwx------");
        server.put("bucket", "data/a.csv", CONTENT);

        assertSecondJobReadsNoBlock(server.port(), this::s3);
    }

    @Test
    void aSecondJobReadsTheCopiesOfXrootd() throws Exception {
        int port = XrootdProcess.freePort();
        closing(XrootdProcess.server(
                        XrootdProcess.shared(folder.resolve("xrootd")),
                        "xrootd",
                        "all.export /data\noss.localroot " + files + "\nxrd.port " + port + "\n"))
                .awaitPort(port);

        assertSecondJobReadsNoBlock(port, this::xrootd);
    }

    // Replicas

    @Test
    void theEndOfAReplicaChangesNoRow() throws Exception {
        int firstPort = ServerProcess.freePort();
        ServerProcess first = nginx(firstPort);
        Observed ending = new Observed(http(firstPort));
        int secondPort = ServerProcess.freePort();
        nginx(secondPort);
        Observed staying = new Observed(http(secondPort));
        ending.atRead = first::close;

        String read = rows("job", ReplicaSource.of(List.of(ending, staying), jobClock));

        assertThat(read).isEqualTo(rows);
        assertThat(ending.reads.get()).isGreaterThanOrEqualTo(READS_BEFORE_END);
        assertThat(ending.failures.get()).as("reads after the end").isPositive();
        assertThat(staying.failures.get()).isZero();
    }
}
