package io.chimera.dataset.source.s3;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.source.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real S3Proxy in a process of its own, with buckets in a folder. */
public final class S3ProxyProcess implements AutoCloseable {
    /** Credentials of all requests. */
    public static final S3Credentials KEY = new S3Credentials("identity", "s3cr3t", "");

    /** Surefire and Failsafe set the folder of the module; otherwise tests run in the folder of the module. */
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Pattern LISTENING =
            Pattern.compile("Started ServerConnector\\S* \\S*\\{127\\.0\\.0\\.1:(\\d+)}");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Path folder;
    private final ServerProcess process;
    private final int port;

    private S3ProxyProcess(Path folder, ServerProcess process, int port) {
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    /** Starts the server with its files in an existing folder. */
    public static S3ProxyProcess start(Path folder) throws IOException {
        Path lib = ROOT.resolve("chimera-s3proxy-server/target/lib");
        assertThat(lib)
                .as("build it with: mvn -q package -pl chimera-s3proxy-server")
                .isDirectory();
        Files.createDirectories(folder.resolve("data"));
        Files.write(
                folder.resolve("s3proxy.properties"),
                List.of(
                        "s3proxy.endpoint=http://127.0.0.1:0",
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=" + KEY.accessKey(),
                        "s3proxy.credential=" + KEY.secretKey(),
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.filesystem.basedir=" + folder.resolve("data")));
        Files.writeString(folder.resolve("logback.xml"), """
                <configuration>
                  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%level %logger{0} %msg%n</pattern></encoder>
                  </appender>
                  <root level="INFO"><appender-ref ref="out"/></root>
                </configuration>
                """);
        ServerProcess process = ServerProcess.start(
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=" + folder.resolve("logback.xml"),
                        "-cp",
                        lib + "/*",
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        "s3proxy.properties"));
        AtomicInteger port = new AtomicInteger();
        await("S3Proxy listens").until(() -> {
            Matcher listening = LISTENING.matcher(process.saidAlive());
            boolean isListening = listening.find();
            port.set(isListening ? Integer.parseInt(listening.group(1)) : 0);
            return isListening;
        });
        return new S3ProxyProcess(folder, process, port.get());
    }

    /** Returns the port of the server on loopback. */
    public int port() {
        return port;
    }

    /** Creates a bucket; S3Proxy grants everybody access to a bucket whose folder everybody may read. */
    public void bucket(String name, String permissions) throws IOException {
        Path bucket = Files.createDirectories(folder.resolve("data").resolve(name));
        Files.setPosixFilePermissions(bucket, PosixFilePermissions.fromString(permissions));
    }

    /** Uploads an object. */
    public void put(String bucket, String encodedKey, byte[] content) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/" + bucket + "/" + encodedKey);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .version(HttpClient.Version.HTTP_1_1)
                .PUT(BodyPublishers.ofByteArray(content));
        new RequestSigner(KEY, "us-east-1", "s3")
                .sign("PUT", uri, Map.of(RequestSigner.BODY_SHA256, "UNSIGNED-PAYLOAD"), Instant.now())
                .forEach(request::header);
        HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Ends the process. */
    @Override
    public void close() {
        process.close();
    }
}
