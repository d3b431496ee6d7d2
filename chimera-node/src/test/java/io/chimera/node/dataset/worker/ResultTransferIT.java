package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.access.AccessControl;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.netty.ChannelThreads;
import io.chimera.common.channel.netty.NettyListeners;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.common.security.Tls;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.ResultGoneException;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerFolder;
import io.chimera.dataset.cluster.WorkerSession;
import io.chimera.node.child.FreePorts;
import io.chimera.node.cli.Main;
import io.chimera.node.http.NodeHttp;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results over the HTTP port of a node, with tokens and with certificates. */
@Tag("it")
final class ResultTransferIT {
    private static final JobId JOB = new JobId("j", 7);
    private static final TaskId TASK = TaskId.split(3);
    private static final String TAP = "a1".repeat(32);
    private static final String VIEW = "b2".repeat(32);

    @TempDir
    Path folder;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Counters<AccessCounter> access = new Counters<>(AccessCounter.class);
    private final Counters<DatasetCounter> counters = new Counters<>(DatasetCounter.class);
    private final byte[] content = new byte[3_000_000];
    private WorkerFolder results;
    private WorkerSession worker;

    @BeforeEach
    void writeResult() throws IOException {
        new Random(1).nextBytes(content);
        results = open(WorkerFolder.open(folder.resolve("results"), () -> 5));
        Path file = results.result(JOB, TASK);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        Files.writeString(
                folder.resolve("tokens.yaml"),
                "tokens:\n  reader: { sha256: %s, roles: [tap] }\n  viewer: { sha256: %s, roles: [view] }\n"
                        .formatted(sha256(TAP), sha256(VIEW)));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        CloseHelper.quietCloseAll(opened);
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Opens the port of a node of cluster c. */
    private void listen(Optional<Tls> tls) throws IOException {
        Endpoint address = Endpoint.parse(new FreePorts(1).next());
        ChannelThreads threads = open(new ChannelThreads("test"));
        NettyListeners listeners = open(new NettyListeners(
                threads,
                new Counters<>(ChannelCounter.class),
                error -> {
                    throw new AssertionError(error);
                },
                tls.map(own -> Map.of(address, own)).orElse(Map.of())));
        NodeHttp http = open(new NodeHttp(
                new AccessControl(folder.resolve("tokens.yaml"), new SystemClock(), access, null).ofCluster("c")));
        ResultService service = open(new ResultService(results, counters));
        http.serve(ResultRequest.PATH, service);
        Endpoint bound = http.listen(listeners, address);
        worker = new WorkerSession(1, results.id(), "p1", bound.toString(), 1);
    }

    private HttpResultTransfer transfer(Optional<NodeTls> tls, String token) {
        return open(new HttpResultTransfer(tls, token));
    }

    private byte[] read(HttpResultTransfer transfer) throws IOException {
        ByteBuffer into = ByteBuffer.allocate((int) transfer.length(worker, JOB, TASK));
        transfer.read(worker, JOB, TASK, 0, into);
        assertThat(into.hasRemaining()).isFalse();
        return into.array();
    }

    private void assertDenied(HttpResultTransfer transfer, int status) {
        assertThatThrownBy(() -> transfer.length(worker, JOB, TASK))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContainingAll("p1", Integer.toString(status), "node.token", "tap")
                .hasMessageNotContaining(VIEW);
        assertThatThrownBy(() -> transfer.read(worker, JOB, TASK, 0, ByteBuffer.allocate(10)))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void onlyATokenWithTheRoleTapReadsResults() throws IOException {
        listen(Optional.empty());

        assertDenied(transfer(Optional.empty(), ""), 401);
        assertDenied(transfer(Optional.empty(), "unknown"), 401);
        assertDenied(transfer(Optional.empty(), VIEW), 403);
        assertThat(counters.get(DatasetCounter.PARTS_SENT))
                .as("before the token")
                .isZero();
        assertThat(access.get(AccessCounter.LOGINS_FAILED)).as("no retries").isEqualTo(2);

        assertThat(read(transfer(Optional.empty(), TAP))).isEqualTo(content);
        assertThat(counters.get(DatasetCounter.BYTES_SENT)).isEqualTo(content.length);
    }

    @Test
    void saysWhichResultIsGone() throws IOException {
        listen(Optional.empty());
        HttpResultTransfer transfer = transfer(Optional.empty(), TAP);

        assertThatThrownBy(() -> transfer.length(worker, JOB, TaskId.range(3)))
                .isInstanceOf(ResultGoneException.class)
                .hasMessageContainingAll("p1", "range 3");
        assertThatThrownBy(() -> transfer.length(worker, new JobId("j", 8), TASK))
                .isInstanceOf(ResultGoneException.class);
        assertThat(counters.get(DatasetCounter.REQUESTS_REFUSED)).isEqualTo(2);
    }

    @Test
    void withCertificatesANodeOfTheClusterReadsResultsUnlessItsTokenForbidsIt() throws IOException {
        String cluster = certificates("c");
        Tls own = tls(cluster, "p1");
        listen(Optional.of(own));
        Optional<NodeTls> other = Optional.of(new NodeTls(tls(cluster, "p2"), "c"));

        assertDenied(transfer(other, VIEW), 403);
        assertThat(counters.get(DatasetCounter.PARTS_SENT)).isZero();
        assertThat(read(transfer(other, TAP))).isEqualTo(content);
        assertThat(read(transfer(other, ""))).as("a node needs no token").isEqualTo(content);
    }

    @Test
    void strangersGetNoResultOverTls() throws IOException {
        listen(Optional.of(tls(certificates("c"), "p1")));
        Tls stranger = tls(certificates("d"), "p1");

        assertThatThrownBy(() ->
                        transfer(Optional.of(new NodeTls(stranger, "d")), TAP).length(worker, JOB, TASK))
                .as("certificates of another cluster")
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining(TAP);
        assertThatThrownBy(() -> transfer(Optional.empty(), TAP).length(worker, JOB, TASK))
                .as("in the clear")
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining(TAP);
        assertThat(counters.get(DatasetCounter.PARTS_SENT)).isZero();
    }

    /** Issues the certificates of two processors of a cluster, and returns their folder. */
    private String certificates(String cluster) {
        String authority = folder.resolve("ca-" + cluster).toString();
        chimera("tls", "init", "--dir", authority, "--cluster", cluster);
        for (String id : new String[] {"p1", "p2"}) {
            chimera(
                    "tls",
                    "issue",
                    "processor",
                    id,
                    "--dir",
                    authority,
                    "--cluster",
                    cluster,
                    "--san",
                    "localhost,127.0.0.1");
        }
        return authority;
    }

    private static void chimera(String... arguments) {
        StringWriter said = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(arguments);
        assertThat(code).as(said.toString()).isZero();
    }

    private static Tls tls(String authority, String id) throws IOException {
        Path files = Path.of(authority);
        try (var all = Files.list(files)) {
            assertThat(all.map(file -> file.getFileName().toString()))
                    .as("files of the certificates")
                    .contains("processor-" + id + ".pem");
        }
        return Tls.open(
                "node.tls",
                Sections.of(
                        TlsConfig.class,
                        "cert",
                        files.resolve("processor-" + id + ".pem"),
                        "key",
                        files.resolve("processor-" + id + ".key"),
                        "ca",
                        files.resolve("ca.pem")),
                true,
                new SystemClock());
    }
}
