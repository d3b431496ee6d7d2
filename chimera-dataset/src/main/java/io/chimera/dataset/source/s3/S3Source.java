package io.chimera.dataset.source.s3;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.Checksum.Algorithm;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.ReadRange;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.DeclaredObject;
import io.chimera.dataset.source.http.DigestHeaders;
import io.chimera.dataset.source.http.HttpCall;
import io.chimera.dataset.source.http.HttpReply;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpTransport;
import io.chimera.dataset.source.http.RangeAnswer;
import io.chimera.dataset.source.http.Validators;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of a bucket, read by signed ranges. Follows no redirects: a signature is good for one host. Owns its
 * connections; any thread.
 */
public final class S3Source implements DataSource {
    private static final String GET = "GET";
    private static final String HEAD = "HEAD";

    private final S3Location location;
    private final Optional<RequestSigner> signer;
    private final int objectsMax;
    private final Clock clock;
    private final HttpTransport transport;

    /**
     * Creates a source; opens no connection.
     *
     * @param location address of the data set
     * @param credentials key of the requests
     * @param objectsMax maximum number of objects in a list
     * @param settings limits of the connections
     * @param allowed hosts that may be contacted
     * @param clock time of the signatures
     */
    public S3Source(
            S3Location location,
            S3Credentials credentials,
            int objectsMax,
            HttpSettings settings,
            AllowedHosts allowed,
            Clock clock) {
        this.location = location;
        this.signer = credentials.isAnonymous()
                ? Optional.empty()
                : Optional.of(new RequestSigner(credentials, location.region(), "s3"));
        this.objectsMax = objectsMax;
        this.clock = clock;
        this.transport = new HttpTransport(settings, allowed);
    }

    @Override
    public String place() {
        return location.place();
    }

    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        PathPattern wanted = PathPattern.of(pattern);
        return wanted.isLiteral() ? stat(pattern).map(List::of).orElse(List.of()) : listBucket(wanted);
    }

    private List<DataObject> listBucket(PathPattern wanted) throws SourceException {
        BucketListing listing = new BucketListing(location, wanted, objectsMax);
        do {
            HttpCall call = call(GET, location.ofBucket(listing.query()), Map.of(), place());
            listing.add(transport.exchange(call, this::pageOf));
        } while (listing.hasNext());
        return listing.objects();
    }

    private byte[] pageOf(HttpReply reply) throws IOException {
        if (reply.status() != 200) {
            throw S3Errors.of(place(), reply, clock);
        }
        return reply.readAll(BucketListing.PAGE_BYTES_MAX)
                .orElseThrow(() -> new SourceException(
                        SourceFault.BAD_ANSWER,
                        place() + ": a page of the list with more than " + BucketListing.PAGE_BYTES_MAX
                                + " bytes; check the server"));
    }

    private Optional<DataObject> stat(String path) throws SourceException {
        try {
            Map<String, String> headers = Map.of("x-amz-checksum-mode", "ENABLED");
            HttpCall head = call(HEAD, location.ofObject(path), headers, named(path));
            Optional<DataObject> found = transport.exchange(head, reply -> ofHead(path, reply));
            if (found.isPresent()) {
                return found;
            }
            // An answer to HEAD has no XML: the answer to GET tells the reason, or the length.
            HttpCall get = call(GET, location.ofObject(path), Map.of("Range", DeclaredObject.FIRST_BYTE), named(path));
            return Optional.of(transport.exchange(get, reply -> ofFirstByte(path, reply)));
        } catch (SourceException e) {
            if (e.fault() == SourceFault.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<DataObject> ofHead(String path, HttpReply reply) throws SourceException {
        if (reply.status() == 404) {
            throw new SourceException(SourceFault.NOT_FOUND, named(path) + " does not exist; check the path");
        }
        return reply.status() == 200
                ? DeclaredObject.ofHead(path, reply).map(object -> withChecksum(object, reply))
                : Optional.empty();
    }

    private DataObject ofFirstByte(String path, HttpReply reply) throws IOException {
        return switch (reply.status()) {
            case 200, 206, 416 -> DeclaredObject.ofFirstByte(path, named(path), reply);
            default -> throw S3Errors.of(named(path), reply, clock);
        };
    }

    /** Adds the checksum of the whole object; the checksum of an upload in parts ends with the number of parts. */
    private static DataObject withChecksum(DataObject object, HttpReply reply) {
        Checksum checksum = DigestHeaders.stronger(
                object.version().checksum(),
                DigestHeaders.stronger(
                        DigestHeaders.of(
                                Algorithm.CRC32C,
                                reply.header("x-amz-checksum-crc32c").orElse("")),
                        DigestHeaders.of(
                                Algorithm.SHA256,
                                reply.header("x-amz-checksum-sha256").orElse(""))));
        return new DataObject(
                object.path(),
                object.length(),
                new ObjectVersion(object.version().tag(), checksum));
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        if (!into.hasRemaining()) {
            return;
        }
        ReadRange range = ReadRange.of(object, offset, into);
        String subject = named(object.path());
        RangeAnswer answer = new RangeAnswer(object, range, subject);
        Map<String, String> headers = new LinkedHashMap<>(Validators.conditions(object.version()));
        headers.put("Range", RangeAnswer.header(range));
        HttpCall get = call(GET, location.ofObject(object.path()), headers, subject);
        transport.exchange(get, reply -> {
            switch (reply.status()) {
                case 200, 206 -> answer.receive(reply, into);
                case 416 -> throw answer.refused(reply);
                default -> throw S3Errors.of(subject, reply, clock);
            }
            return object;
        });
    }

    private HttpCall call(String method, URI uri, Map<String, String> headers, String subject) {
        if (signer.isEmpty()) {
            return new HttpCall(method, uri, headers, subject);
        }
        Map<String, String> toSign = new LinkedHashMap<>(headers);
        toSign.put(RequestSigner.BODY_SHA256, RequestSigner.EMPTY_SHA256);
        Instant now = Instant.ofEpochMilli(clock.epochMs());
        return new HttpCall(method, uri, signer.get().sign(method, uri, toSign, now), subject);
    }

    private String named(String path) {
        return place() + path;
    }

    @Override
    public void close() {
        transport.close();
    }
}
