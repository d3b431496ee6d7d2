package io.chimera.dataset.source.http;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.security.TestAuthority;
import io.chimera.common.security.TestAuthority.Issued;
import io.chimera.common.security.Tls;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ServerProcess;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads from a real nginx, compared with curl byte for byte. */
final class NginxIT {
    private static final byte[] CONTENT = new byte[3_000_017];
    private static final AllowedHosts LOOPBACK = new AllowedHosts(List.of("127.0.0.1", "localhost"));

    @TempDir
    static Path folder;

    private static String curl;
    private static ServerProcess nginx;
    private static TestAuthority authority;
    private static int port;
    private static int tlsPort;

    @BeforeAll
    static void start() throws IOException {
        String program = ServerProcess.program("nginx", "nginx-light");
        curl = ServerProcess.program("curl", "curl");
        new Random(1).nextBytes(CONTENT);
        Files.write(Files.createDirectories(folder.resolve("www/data/a b")).resolve("ü+.bin"), CONTENT);
        Files.createFile(folder.resolve("www/data/empty"));
        Files.writeString(Files.createDirectory(folder.resolve("www/private")).resolve("a"), "private");
        Files.writeString(Files.createDirectory(folder.resolve("www/timed")).resolve("a"), "timed");
        Files.writeString(Files.createDirectory(folder.resolve("www/whole")).resolve("a"), "whole");
        Files.writeString(folder.resolve("users"), "me:{PLAIN}s3cr3t\n");
        authority = new TestAuthority(folder.resolve("authority"), "test");
        Issued issued = authority.issue("localhost", "DNS:localhost");
        port = ServerProcess.freePort();
        tlsPort = ServerProcess.freePort();
        Path config = Files.writeString(
                folder.resolve("nginx.conf"), """
                daemon off;
                worker_processes 1;
                user root;
                pid nginx.pid;
                error_log stderr;
                events {}
                http {
                  access_log off;
                  client_body_temp_path tmp;
                  server {
                    listen 127.0.0.1:%d;
                    listen 127.0.0.1:%d ssl;
                    ssl_certificate %s;
                    ssl_certificate_key %s;
                    root www;
                    location /private/ { auth_basic x; auth_basic_user_file %s/users; }
                    location /timed/ { etag off; }
                    location /whole/ { max_ranges 0; }
                    location /moved/ { rewrite ^/moved/(.*) /data/$1 redirect; }
                    location /circle/ { return 302 $uri; }
                    location /busy/ { add_header Retry-After 7 always; return 429; }
                  }
                }
                """.formatted(port, tlsPort, issued.cert(), issued.key(), folder));
        nginx = ServerProcess.start(
                folder, List.of(program, "-p", folder.toString(), "-e", "stderr", "-c", config.toString()));
        await("nginx listens").until(() -> {
            nginx.saidAlive();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }

    @AfterAll
    static void stop() {
        if (nginx != null) {
            nginx.close();
        }
    }

    private static HttpSource source(String path, HttpCredentials credentials) {
        return source("http://127.0.0.1:" + port + path, credentials, HttpSettings.DEFAULT);
    }

    private static HttpSource source(String base, HttpCredentials credentials, HttpSettings settings) {
        return new HttpSource(
                new HttpLocation(URI.create(base), credentials, false), settings, LOOPBACK, new SystemClock());
    }

    private static byte[] curl(String path, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(curl, "-s", "--fail"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + port + path);
        return ServerProcess.run(folder, command);
    }

    private static byte[] read(HttpSource source, DataObject object, long offset, int length) throws SourceException {
        ByteBuffer into = ByteBuffer.allocate(length);
        source.read(object, offset, into);
        return into.array();
    }

    private static void assertFault(SourceFault fault, ThrowingCallable call) {
        assertThat(catchThrowableOfType(SourceException.class, call).fault()).isEqualTo(fault);
    }

    @Test
    void readsTheBytesThatCurlReads() throws Exception {
        try (HttpSource source = source("/data", HttpCredentials.NONE)) {
            DataObject object = source.list("a b/ü+.bin").get(0);
            assertThat(object.length()).isEqualTo(CONTENT.length);
            assertThat(object.version().tag()).startsWith("\"");

            String path = "/data/a%20b/%C3%BC%2B.bin";
            assertThat(read(source, object, 0, CONTENT.length)).isEqualTo(curl(path));
            Random random = new Random(2);
            for (int i = 0; i < 20; i++) {
                int offset = random.nextInt(CONTENT.length);
                int length = 1 + random.nextInt(Math.min(CONTENT.length - offset, 200_000));
                assertThat(read(source, object, offset, length))
                        .isEqualTo(curl(path, "-r", offset + "-" + (offset + length - 1)));
            }
        }
    }

    @Test
    void manyThreadsReadRanges() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (HttpSource source = source("/moved", HttpCredentials.NONE)) {
            DataObject object = source.list("a b/ü+.bin").get(0);
            int piece = 50_000;
            List<Future<byte[]>> reads = Stream.iterate(0L, at -> at < CONTENT.length, at -> at + piece)
                    .map(at ->
                            threads.submit(() -> read(source, object, at, (int) Math.min(piece, CONTENT.length - at))))
                    .toList();
            ByteBuffer whole = ByteBuffer.allocate(CONTENT.length);
            for (Future<byte[]> read : reads) {
                whole.put(read.get());
            }
            assertThat(whole.array()).isEqualTo(CONTENT);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void listsEmptyAndMissingObjects() throws Exception {
        try (HttpSource source = source("/data", HttpCredentials.NONE)) {
            assertThat(source.list("empty").get(0).length()).isZero();
            assertThat(source.list("missing")).isEmpty();
            assertFault(SourceFault.UNSUPPORTED, () -> source.list("*"));
        }
    }

    @Test
    void noticesAChangedObjectByEtagAndByTime() throws Exception {
        for (String location : List.of("data", "timed")) {
            Path file = Files.writeString(folder.resolve("www/" + location + "/changing"), "12345");
            try (HttpSource source = source("/" + location, HttpCredentials.NONE)) {
                DataObject object = source.list("changing").get(0);
                assertThat(object.version().tag().startsWith("\"")).isEqualTo(location.equals("data"));
                assertThat(read(source, object, 1, 2)).asString().isEqualTo("23");

                Files.writeString(file, "54321");
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
                assertFault(SourceFault.CHANGED, () -> read(source, object, 1, 2));
            }
        }
    }

    @Test
    void aServerWithoutRangesServesWholeObjects() throws Exception {
        try (HttpSource source = source("/whole", HttpCredentials.NONE)) {
            DataObject object = source.list("a").get(0);
            assertThat(read(source, object, 0, 5)).asString().isEqualTo("whole");
            assertFault(SourceFault.RANGE_REFUSED, () -> read(source, object, 0, 4));
        }
    }

    @Test
    void credentialsOpenWhatIsPrivate() throws Exception {
        try (HttpSource right = source("/private", HttpCredentials.basic("me", "s3cr3t"));
                HttpSource wrong = source("/private", HttpCredentials.basic("me", "other"));
                HttpSource none = source("/private", HttpCredentials.NONE)) {
            DataObject object = right.list("a").get(0);
            assertThat(read(right, object, 0, 7)).asString().isEqualTo("private");
            assertFault(SourceFault.UNAUTHENTICATED, () -> wrong.list("a"));
            assertFault(SourceFault.UNAUTHENTICATED, () -> read(none, object, 0, 7));
        }
    }

    @Test
    void aCircleAndABusyServerHaveTheirReasons() {
        try (HttpSource circle = source("/circle", HttpCredentials.NONE);
                HttpSource busy = source("/busy", HttpCredentials.NONE)) {
            assertFault(SourceFault.REDIRECTS, () -> circle.list("a"));
            SourceException pause = catchThrowableOfType(SourceException.class, () -> busy.list("a"));
            assertThat(pause.fault()).isEqualTo(SourceFault.BUSY);
            assertThat(pause.retryAfter().toSeconds()).isEqualTo(7);
        }
    }

    @Test
    void tlsNeedsATrustedCertificateOfTheHost() throws Exception {
        Tls tls = Tls.open(
                "datasets",
                authority.config(authority.issue("client"), ClientAuth.NONE, null),
                false,
                new SystemClock());
        HttpSettings trusting = HttpSettings.DEFAULT.withTls(tls.clientContext());
        String base = "https://localhost:" + tlsPort + "/data";
        try (HttpSource trusted = source(base, HttpCredentials.NONE, trusting);
                HttpSource otherName = source(base.replace("localhost", "127.0.0.1"), HttpCredentials.NONE, trusting);
                HttpSource untrusted = source(base, HttpCredentials.NONE, HttpSettings.DEFAULT)) {
            DataObject object = trusted.list("a b/ü+.bin").get(0);
            assertThat(read(trusted, object, 0, CONTENT.length)).isEqualTo(CONTENT);
            assertFault(SourceFault.UNREACHABLE, () -> otherName.list("empty"));
            assertFault(SourceFault.UNREACHABLE, () -> untrusted.list("empty"));
        }
    }
}
