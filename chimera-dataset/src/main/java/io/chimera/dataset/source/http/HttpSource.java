package io.chimera.dataset.source.http;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.ReadRange;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects of an HTTP server, read by ranges over connections that are kept alive. HTTP has no lists: a pattern must
 * name one object. Owns its connections; any thread.
 */
public final class HttpSource implements DataSource {
    private static final String HEAD = "HEAD";
    private static final String GET = "GET";
    private static final String RANGE = "Range";

    private final HttpLocation location;
    private final Clock clock;
    private final HttpTransport transport;
    private final Redirects redirects;

    /**
     * Creates a source; opens no connection.
     *
     * @param location address and credentials
     * @param settings limits of the connections
     * @param allowed hosts that may be contacted
     * @param clock time from which a date in {@code Retry-After} counts
     */
    public HttpSource(HttpLocation location, HttpSettings settings, AllowedHosts allowed, Clock clock) {
        this.location = location;
        this.clock = clock;
        this.transport = new HttpTransport(settings, allowed);
        this.redirects = new Redirects(transport, location.base(), location.credentials());
    }

    @Override
    public String place() {
        return location.base().toString();
    }

    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        PathPattern wanted = PathPattern.of(pattern);
        if (!wanted.isLiteral()) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    place() + " cannot be listed by \"" + pattern + "\": HTTP has no lists; name every object");
        }
        try {
            return List.of(stat(pattern));
        } catch (SourceException e) {
            if (e.fault() == SourceFault.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    private DataObject stat(String path) throws SourceException {
        HttpCall head = call(HEAD, path, Map.of());
        if (location.asksDigest()) {
            head = head.with("Want-Digest", "adler32, md5, sha-256").with("Want-Repr-Digest", "sha-256=2, md5=1");
        }
        Optional<DataObject> found = redirects.follow(head, reply -> ofHead(path, reply));
        // The server refuses HEAD, or does not tell the length: one byte by GET tells more.
        return found.isPresent()
                ? found.get()
                : redirects.follow(
                        call(GET, path, Map.of(RANGE, DeclaredObject.FIRST_BYTE)), reply -> ofByte(path, reply));
    }

    private Optional<DataObject> ofHead(String path, HttpReply reply) throws SourceException {
        return switch (reply.status()) {
            case 200 -> DeclaredObject.ofHead(path, reply);
            case 204, 400, 403, 405, 501 -> Optional.empty();
            default -> throw HttpFaults.ofStatus(named(path), reply, clock);
        };
    }

    private DataObject ofByte(String path, HttpReply reply) throws SourceException {
        return switch (reply.status()) {
            case 200, 206, 416 -> DeclaredObject.ofFirstByte(path, named(path), reply);
            default -> throw HttpFaults.ofStatus(named(path), reply, clock);
        };
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        if (!into.hasRemaining()) {
            return;
        }
        ReadRange range = ReadRange.of(object, offset, into);
        RangeAnswer answer = new RangeAnswer(object, range, named(object.path()));
        HttpCall get = call(GET, object.path(), Validators.conditions(object.version()))
                .with(RANGE, RangeAnswer.header(range));
        redirects.follow(get, reply -> {
            switch (reply.status()) {
                case 200, 206 -> answer.receive(reply, into);
                case 416 -> throw answer.refused(reply);
                default -> throw HttpFaults.ofStatus(named(object.path()), reply, clock);
            }
            return object;
        });
    }

    private HttpCall call(String method, String path, Map<String, String> headers) {
        return new HttpCall(method, location.of(path), headers, named(path));
    }

    private String named(String path) {
        return place() + path;
    }

    @Override
    public void close() {
        transport.close();
    }
}
