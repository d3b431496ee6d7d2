package io.chimera.dataset.source.s3;

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
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.ScriptedServer;
import io.chimera.dataset.source.http.ScriptedServer.Request;
import io.chimera.dataset.source.http.ScriptedServer.Script;
import io.chimera.dataset.source.s3.S3Location.Style;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class S3SourceTest {
    private static final int OBJECTS_MAX = 5;
    private static final S3Credentials KEY = new S3Credentials("id", "s3cr3t", "t0ken");

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

    private S3Source source(ScriptedServer server, S3Credentials credentials) {
        S3Source source = new S3Source(
                new S3Location(URI.create(server.url("")), "us-east-1", "bucket", "root", Style.PATH),
                credentials,
                OBJECTS_MAX,
                HttpSettings.DEFAULT,
                new AllowedHosts(List.of("127.0.0.1:" + server.port())),
                new ManualClock());
        open.add(0, source);
        return source;
    }

    private S3Source source(ScriptedServer server) {
        return source(server, KEY);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] page(String next, String... keys) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://x/\">");
        for (String key : keys) {
            xml.append("<Contents><Key>")
                    .append(key)
                    .append("</Key><LastModified>2026-01-01T00:00:00.500Z</LastModified>")
                    .append("<ETag>&quot;e&quot;</ETag><Size>7</Size><Owner><ID>Size</ID></Owner></Contents>");
        }
        xml.append("<EncodingType>url</EncodingType>");
        if (!next.isEmpty()) {
            xml.append("<IsTruncated>true</IsTruncated><NextContinuationToken>")
                    .append(next)
                    .append("</NextContinuationToken>");
        }
        return bytes(xml.append("</ListBucketResult>").toString());
    }

    private static byte[] error(String code) {
        return bytes(
                "<Error><Code>" + code + "</Code><Message>t0ken</Message><StringToSign>s3cr3t</StringToSign></Error>");
    }

    private SourceException failureOfList(Script script) {
        return failureOfList(server(script));
    }

    private SourceException failureOfList(ScriptedServer server) {
        S3Source source = source(server);
        return checked(catchThrowableOfType(SourceException.class, () -> source.list("*")));
    }

    private SourceException failureOfRead(Script script) {
        S3Source source = source(server(script));
        DataObject object = new DataObject("a", 10, new ObjectVersion("\"e\"", Checksum.NONE));
        return checked(
                catchThrowableOfType(SourceException.class, () -> source.read(object, 2, ByteBuffer.allocate(3))));
    }

    private static SourceException checked(SourceException failure) {
        assertThat(failure).hasMessageContaining("/bucket/root/");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("s3cr3t", "t0ken");
        }
        return failure;
    }

    @Test
    void listsAllPagesInOrder() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(
                200,
                request.target().contains("continuation-token=n%2F1%3D")
                        ? page("", "root/b/a+b%2Bc.csv", "root/b/")
                        : page("n/1=", "root/z.csv", "root/b/x.txt", "root/b/%C3%BC.csv")));
        List<DataObject> objects = source(server).list("**/*.csv");

        assertThat(objects).extracting(DataObject::path).containsExactly("b/a b+c.csv", "b/ü.csv", "z.csv");
        assertThat(objects.get(0).length()).isEqualTo(7);
        assertThat(objects.get(0).version()).isEqualTo(new ObjectVersion("\"e\"", Checksum.NONE));
        assertThat(server.requests()).hasSize(2);
        Request first = server.requests().get(0);
        assertThat(first.target()).isEqualTo("/bucket?encoding-type=url&list-type=2&max-keys=1000&prefix=root%2F");
        assertThat(first.headers())
                .containsEntry("x-amz-date", "20260101T000000Z")
                .containsEntry("x-amz-security-token", "t0ken")
                .containsEntry("x-amz-content-sha256", RequestSigner.EMPTY_SHA256);
        assertThat(first.headers().get("authorization"))
                .contains("Credential=id/20260101/us-east-1/s3/aws4_request")
                .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token");
    }

    @Test
    void asksOnlyForThePrefixOfThePattern() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(200, page("")));
        assertThat(source(server).list("2026/a*/b")).isEmpty();
        assertThat(server.requests().get(0).target()).endsWith("prefix=root%2F2026%2Fa");
    }

    @Test
    void statsOneObjectByHead() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(
                200,
                new byte[7],
                "ETag: \"e\"",
                "x-amz-checksum-crc32c: 4waSgw==",
                "x-amz-checksum-sha256: 4waSgw==-2"));
        assertThat(source(server).list("a b"))
                .containsExactly(new DataObject(
                        "a b", 7, new ObjectVersion("\"e\"", new Checksum(Algorithm.CRC32C, "e3069283"))));
        assertThat(server.requests().get(0).method()).isEqualTo("HEAD");
        assertThat(server.requests().get(0).target()).isEqualTo("/bucket/root/a%20b");
    }

    @Test
    void aMissingObjectMakesAnEmptyList() throws IOException {
        assertThat(source(server((request, wire) -> wire.answer(404, new byte[0])))
                        .list("a"))
                .isEmpty();
    }

    @Test
    void theAnswerToGetTellsWhyHeadFailed() {
        ScriptedServer server = server((request, wire) -> wire.answer(403, error("RequestTimeTooSkewed")));
        S3Source source = source(server);
        SourceException failure = catchThrowableOfType(SourceException.class, () -> source.list("a"));
        assertThat(failure.fault()).isEqualTo(SourceFault.CLOCK_SKEW);
        assertThat(server.requests()).extracting(Request::method).containsExactly("HEAD", "GET");
    }

    @Test
    void readsSignedRangesWithTheVersion() throws IOException {
        ScriptedServer server =
                server((request, wire) -> wire.answer(206, bytes("234"), "ETag: \"e\"", "Content-Range: bytes 2-4/10"));
        ByteBuffer into = ByteBuffer.allocate(3);
        source(server).read(new DataObject("a", 10, new ObjectVersion("\"e\"", Checksum.NONE)), 2, into);
        assertThat(into.array()).asString().isEqualTo("234");
        Request request = server.requests().get(0);
        assertThat(request.headers()).containsEntry("range", "bytes=2-4").containsEntry("if-match", "\"e\"");
        assertThat(request.headers().get("authorization"))
                .contains("SignedHeaders=host;if-match;range;x-amz-content-sha256;x-amz-date;x-amz-security-token");
    }

    @Test
    void anonymousRequestsHaveNoSignature() throws IOException {
        ScriptedServer server = server((request, wire) -> wire.answer(200, page("")));
        source(server, S3Credentials.ANONYMOUS).list("*");
        assertThat(server.requests().get(0).headers()).doesNotContainKeys("authorization", "x-amz-date");
    }

    @ParameterizedTest
    @CsvSource({
        "404, NoSuchKey, NOT_FOUND",
        "404, NoSuchBucket, NOT_FOUND",
        "403, AccessDenied, FORBIDDEN",
        "403, SignatureDoesNotMatch, UNAUTHENTICATED",
        "403, InvalidAccessKeyId, UNAUTHENTICATED",
        "400, ExpiredToken, UNAUTHENTICATED",
        "400, AuthorizationHeaderMalformed, UNAUTHENTICATED",
        "403, RequestTimeTooSkewed, CLOCK_SKEW",
        "412, PreconditionFailed, CHANGED",
        "403, InvalidObjectState, UNSUPPORTED",
        "400, RequestTimeout, STALLED",
        "503, SlowDown, BUSY",
        "500, InternalError, SERVER_FAILED",
        "301, PermanentRedirect, UNSUPPORTED",
        "307, TemporaryRedirect, UNSUPPORTED",
        "400, SomethingNew, UNSUPPORTED",
        "500, SomethingNew, SERVER_FAILED"
    })
    void codesHaveReasons(int status, String code, SourceFault fault) {
        SourceException failure =
                failureOfRead((request, wire) -> wire.answer(status, error(code), "Location: http://127.0.0.1:1/"));
        assertThat(failure.fault()).isEqualTo(fault);
        assertThat(failure).hasMessageContaining(code);
        assertThat(failureOfList((request, wire) -> wire.answer(status, error(code)))
                        .fault())
                .isEqualTo(fault);
    }

    @Test
    void aRefusedRangeIsRefusedOrAChange() {
        assertThat(failureOfRead((request, wire) -> wire.answer(416, error("InvalidRange")))
                        .fault())
                .isEqualTo(SourceFault.RANGE_REFUSED);
        assertThat(failureOfRead((request, wire) -> wire.answer(416, error("InvalidRange"), "Content-Range: bytes */4"))
                        .fault())
                .isEqualTo(SourceFault.CHANGED);
    }

    @Test
    void aBusyServerNamesThePause() {
        SourceException failure =
                failureOfList((request, wire) -> wire.answer(503, error("SlowDown"), "Retry-After: 9"));
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void namesTheRegionOfTheBucket() {
        assertThat(failureOfList((request, wire) ->
                        wire.answer(301, error("PermanentRedirect"), "x-amz-bucket-region: eu-west-1")))
                .hasMessageContaining("eu-west-1");
        assertThat(failureOfList((request, wire) ->
                        wire.answer(301, error("PermanentRedirect"), "x-amz-bucket-region: <script>")))
                .hasMessageNotContaining("script");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "{}",
                "<Error><Code>a b\n</Code></Error>",
                "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
            })
    void errorsWithoutCodeHaveTheReasonOfTheStatus(String body) {
        assertThat(failureOfList((request, wire) -> wire.answer(403, bytes(body)))
                        .fault())
                .isEqualTo(SourceFault.FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html/>",
                "<ListBucketResult>",
                "<Error/>",
                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>"
            })
    void malformedListsAreBadAnswers(String body) {
        assertThat(failureOfList((request, wire) -> wire.answer(200, bytes(body)))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @Test
    void listsThatDoNotEndAreBadAnswers() {
        ScriptedServer same = server((request, wire) -> wire.answer(200, page("same")));
        assertThat(failureOfList(same).fault()).isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(same.requests()).hasSize(2);
    }

    @Test
    void listsAreBounded() {
        assertThat(failureOfList((request, wire) ->
                                wire.answer(200, page("", "root/1", "root/2", "root/3", "root/4", "root/5", "root/6")))
                        .fault())
                .isEqualTo(SourceFault.UNSUPPORTED);
        assertThat(failureOfList((request, wire) -> wire.answer(200, page("", "root/1", "root/1")))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
        assertThat(failureOfList((request, wire) -> wire.head(200, "Content-Length: 99999999999"))
                        .fault())
                .isEqualTo(SourceFault.BAD_ANSWER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"root/..", "root/a%0Ab", "root/."})
    void keysThatAreNoPathsAreUnsupported(String key) {
        assertThat(failureOfList((request, wire) -> wire.answer(200, page("", key)))
                        .fault())
                .isEqualTo(SourceFault.UNSUPPORTED);
    }

    @Test
    void keysOutsideThePrefixAreLeftOut() throws IOException {
        ScriptedServer server =
                server((request, wire) -> wire.answer(200, page("", "rooted/a", "a", "root/", "root/b")));
        assertThat(source(server).list("*")).extracting(DataObject::path).containsExactly("b");
    }
}
