package io.chimera.dataset.source.s3;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.HttpFaults;
import io.chimera.dataset.source.http.HttpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/**
 * Reasons of failed requests from the code in the XML of the answer, or from the status code without XML. Of the answer
 * only code and region appear in messages: the rest may repeat parts of the signed request.
 */
final class S3Errors {
    private static final int DOCUMENT_BYTES_MAX = 64 << 10;
    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9.]{1,64}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,32}");

    /** Reason and remedy of a code. */
    private record Meaning(SourceFault fault, String remedy) {}

    private static final Meaning CREDENTIALS =
            new Meaning(SourceFault.UNAUTHENTICATED, "check access key, secret key, session token and region");
    private static final Meaning BUSY = new Meaning(SourceFault.BUSY, "the server asks for a pause");
    private static final Meaning OTHER_REGION =
            new Meaning(SourceFault.UNSUPPORTED, "the bucket is at another endpoint; set endpoint and region");

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            Map.entry("NoSuchKey", new Meaning(SourceFault.NOT_FOUND, "list the bucket again")),
            Map.entry("NoSuchBucket", new Meaning(SourceFault.NOT_FOUND, "check the name of the bucket")),
            Map.entry("AccessDenied", new Meaning(SourceFault.FORBIDDEN, "grant s3:GetObject and s3:ListBucket")),
            Map.entry("AllAccessDisabled", new Meaning(SourceFault.FORBIDDEN, "ask the owner of the bucket")),
            Map.entry("SignatureDoesNotMatch", CREDENTIALS),
            Map.entry("InvalidAccessKeyId", CREDENTIALS),
            Map.entry("InvalidToken", CREDENTIALS),
            Map.entry("ExpiredToken", new Meaning(SourceFault.UNAUTHENTICATED, "renew the temporary credentials")),
            Map.entry("AuthorizationHeaderMalformed", CREDENTIALS),
            Map.entry(
                    "RequestTimeTooSkewed",
                    new Meaning(SourceFault.CLOCK_SKEW, "set the clock of this machine by NTP")),
            Map.entry("PreconditionFailed", new Meaning(SourceFault.CHANGED, "the object has changed; list it again")),
            Map.entry("InvalidRange", new Meaning(SourceFault.RANGE_REFUSED, "list the object again")),
            Map.entry(
                    "InvalidObjectState", new Meaning(SourceFault.UNSUPPORTED, "restore the object from the archive")),
            Map.entry("SlowDown", BUSY),
            Map.entry("ServiceUnavailable", BUSY),
            Map.entry("RequestTimeout", new Meaning(SourceFault.STALLED, "check the network")),
            Map.entry("InternalError", new Meaning(SourceFault.SERVER_FAILED, "check the server")),
            Map.entry("PermanentRedirect", OTHER_REGION),
            Map.entry("TemporaryRedirect", OTHER_REGION));

    private S3Errors() {}

    /**
     * Returns the reason for an answer that is no success.
     *
     * @param subject object and place
     * @param reply the answer; its body is read
     * @param clock time from which a date in {@code Retry-After} counts
     * @throws IOException when the connection fails
     */
    static SourceException of(String subject, HttpReply reply, Clock clock) throws IOException {
        SourceException byStatus = HttpFaults.ofStatus(subject, reply, clock);
        String code = reply.readAll(DOCUMENT_BYTES_MAX).map(S3Errors::code).orElse("");
        Meaning meaning = MEANINGS.get(code);
        String region = reply.header("x-amz-bucket-region")
                .filter(name -> REGION.matcher(name).matches())
                .map(name -> " (the bucket is in the region " + name + ")")
                .orElse("");
        if (meaning != null) {
            return fault(
                    meaning.fault(), subject + ": " + code + "; " + meaning.remedy() + region, byStatus.retryAfter());
        }
        if (reply.status() >= 300 && reply.status() <= 399) {
            return fault(
                    OTHER_REGION.fault(),
                    subject + ": HTTP " + reply.status() + "; " + OTHER_REGION.remedy() + region,
                    Duration.ZERO);
        }
        return code.isEmpty()
                ? byStatus
                : fault(byStatus.fault(), byStatus.getMessage() + " (code " + code + ")", byStatus.retryAfter());
    }

    /** Returns the code of an error document; empty when the document is malformed, or has no code. */
    static String code(byte[] document) {
        String[] code = {""};
        try {
            BoundedXml.read(document, (path, text) -> {
                if (path.equals("Error/Code")) {
                    code[0] = text.strip();
                }
            });
        } catch (XMLStreamException e) {
            return "";
        }
        return CODE.matcher(code[0]).matches() ? code[0] : "";
    }

    private static SourceException fault(SourceFault fault, String message, Duration pause) {
        return new SourceException(fault, message, pause, null);
    }
}
