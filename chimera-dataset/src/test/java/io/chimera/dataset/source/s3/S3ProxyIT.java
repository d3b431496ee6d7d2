package io.chimera.dataset.source.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.SystemClock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.s3.S3Location.Style;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads from a real S3Proxy in a process of its own. */
final class S3ProxyIT {
    private static final S3Credentials KEY = S3ProxyProcess.KEY;
    private static final byte[] CONTENT = new byte[2_000_003];
    private static final int OBJECTS = 2_345;

    @TempDir
    static Path folder;

    private static S3ProxyProcess server;
    private static int port;

    @BeforeAll
    static void upload() throws Exception {
        new Random(1).nextBytes(CONTENT);
        server = S3ProxyProcess.start(folder);
        port = server.port();
        server.bucket("bucket", "rwx------");
        server.bucket("public", "rwxr-xr-x");
        put("a%20b/c%2Bd%3D%C3%BC.bin", CONTENT);
        for (int i = 0; i < OBJECTS; i++) {
            put("many/" + i + ".csv", ("x" + i).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void put(String encodedKey, byte[] content) throws IOException, InterruptedException {
        server.put("bucket", encodedKey, content);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static S3Source source(String bucket, String prefix, S3Credentials credentials, Clock clock) {
        return new S3Source(
                new S3Location(URI.create("http://127.0.0.1:" + port), "us-east-1", bucket, prefix, Style.PATH),
                credentials,
                10_000,
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("127.0.0.1")),
                clock);
    }

    private static S3Source source(String prefix) {
        return source("bucket", prefix, KEY, new SystemClock());
    }

    private static byte[] read(S3Source source, DataObject object, long offset, int length) throws SourceException {
        ByteBuffer into = ByteBuffer.allocate(length);
        source.read(object, offset, into);
        return into.array();
    }

    private static void assertFault(SourceFault fault, ThrowingCallable call) {
        SourceException failure = catchThrowableOfType(SourceException.class, call);
        assertThat(failure.fault()).as(failure.getMessage()).isEqualTo(fault);
        assertThat(failure.toString()).doesNotContain(KEY.secretKey());
    }

    @Test
    void listsManyPagesAndReadsTheObjects() throws SourceException {
        try (S3Source source = source("many")) {
            List<DataObject> objects = source.list("*.csv");
            assertThat(objects).hasSize(OBJECTS);
            assertThat(objects).extracting(DataObject::path).isSorted().doesNotHaveDuplicates();
            for (DataObject object : objects.subList(1000, 1020)) {
                String number = object.path().replace(".csv", "");
                assertThat(read(source, object, 0, (int) object.length()))
                        .asString()
                        .isEqualTo("x" + number);
            }
            assertThat(source.list("12*.csv")).hasSize(1 + 10 + 100);
        }
    }

    @Test
    void readsRangesOfNamesWithSpecialCharacters() throws SourceException {
        try (S3Source source = source("")) {
            DataObject listed = source.list("a b/*.bin").get(0);
            DataObject found = source.list("a b/c+d=ü.bin").get(0);
            assertThat(found.path()).isEqualTo(listed.path());
            assertThat(found.length()).isEqualTo(listed.length()).isEqualTo(CONTENT.length);
            assertThat(read(source, found, 0, CONTENT.length)).isEqualTo(CONTENT);
            for (int offset : new int[] {0, 1, 999_999, CONTENT.length - 10}) {
                assertThat(read(source, listed, offset, 10))
                        .isEqualTo(Arrays.copyOfRange(CONTENT, offset, offset + 10));
            }
        }
    }

    @Test
    void noticesAChangedObject() throws Exception {
        put("changing", new byte[] {'1', '2', '3', '4', '5'});
        try (S3Source source = source("")) {
            DataObject object = source.list("changing").get(0);
            assertThat(object.version().tag()).startsWith("\"");
            assertThat(read(source, object, 1, 2)).asString().isEqualTo("23");
            put("changing", new byte[] {'5', '4', '3', '2', '1'});
            assertFault(SourceFault.CHANGED, () -> read(source, object, 1, 2));
        }
    }

    @Test
    void namesWhatDoesNotExist() throws SourceException {
        try (S3Source source = source("");
                S3Source noBucket = source("nowhere", "", KEY, new SystemClock())) {
            assertThat(source.list("missing")).isEmpty();
            assertThat(source.list("missing/*")).isEmpty();
            assertFault(SourceFault.NOT_FOUND, () -> noBucket.list("*"));
        }
    }

    @Test
    void refusesWrongCredentials() {
        Clock clock = new SystemClock();
        try (S3Source wrongKey = source("bucket", "", new S3Credentials("identity", "other", ""), clock);
                S3Source wrongId = source("bucket", "", new S3Credentials("stranger", "s3cr3t", ""), clock);
                S3Source anonymous = source("bucket", "", S3Credentials.ANONYMOUS, clock)) {
            for (S3Source source : List.of(wrongKey, wrongId)) {
                assertFault(SourceFault.UNAUTHENTICATED, () -> source.list("*"));
                assertFault(SourceFault.UNAUTHENTICATED, () -> source.list("many/1.csv"));
            }
            assertFault(SourceFault.FORBIDDEN, () -> anonymous.list("*"));
            assertFault(SourceFault.FORBIDDEN, () -> anonymous.list("many/1.csv"));
        }
    }

    @Test
    void anonymousRequestsListAPublicBucket() throws Exception {
        server.put("public", "a", new byte[3]);
        try (S3Source source = source("public", "", S3Credentials.ANONYMOUS, new SystemClock())) {
            assertThat(source.list("*")).extracting(DataObject::path).containsExactly("a");
        }
    }

    @Test
    void refusesAClockThatIsWrong() {
        try (S3Source source = source("bucket", "", KEY, new ManualClock())) {
            assertFault(SourceFault.CLOCK_SKEW, () -> source.list("*"));
            assertFault(SourceFault.CLOCK_SKEW, () -> source.list("changing"));
        }
    }
}
