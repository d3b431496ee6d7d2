package io.chimera.dataset.source.http;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows redirects of one server. Credentials go to the server that they belong to, and to no other; a redirect from
 * HTTPS to HTTP is refused. The transport asks for every hop whether the host is allowed. Any thread.
 */
final class Redirects {
    /** Maximum number of redirects of a request. */
    static final int HOPS_MAX = 5;

    private final HttpTransport transport;
    private final HttpCredentials credentials;
    private final URI origin;

    /** Result of one hop: the answer, or the next address. */
    private record Hop<T>(@Nullable T result, @Nullable URI next) {}

    /**
     * Creates the rule.
     *
     * @param transport sends the requests
     * @param origin address of the server that the credentials belong to
     * @param credentials credentials for this server
     */
    Redirects(HttpTransport transport, URI origin, HttpCredentials credentials) {
        this.transport = transport;
        this.origin = origin;
        this.credentials = credentials;
    }

    /**
     * Sends a request, and again to every address that a redirect names.
     *
     * @param <T> result
     * @param call request without credentials
     * @param handler reads the answer that is no redirect
     * @throws SourceException when an exchange fails, or with {@link SourceFault#REDIRECTS}
     */
    <T> T follow(HttpCall call, ReplyHandler<T> handler) throws SourceException {
        Set<URI> seen = new HashSet<>();
        URI at = call.uri();
        while (seen.add(at)) {
            if (seen.size() > HOPS_MAX + 1) {
                throw refused(call, "more than " + HOPS_MAX + " redirects");
            }
            HttpCall hop = isOrigin(at) ? call.at(at).with(credentials) : call.at(at);
            URI here = at;
            Hop<T> reached = transport.exchange(
                    hop,
                    reply -> isRedirect(reply.status())
                            ? new Hop<>(null, target(call, here, reply))
                            : new Hop<>(handler.handle(reply), null));
            if (reached.next() == null) {
                return Objects.requireNonNull(reached.result());
            }
            at = reached.next();
        }
        throw refused(call, "redirects in a circle");
    }

    private static boolean isRedirect(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static URI target(HttpCall call, URI from, HttpReply reply) throws SourceException {
        String location = reply.header("Location").orElse("");
        URI target;
        try {
            target = from.resolve(URI.create(location.strip()));
        } catch (IllegalArgumentException e) {
            throw new SourceException(
                    SourceFault.BAD_ANSWER, call.subject() + ": a redirect without a valid address; check the server");
        }
        if (location.isBlank() || target.getUserInfo() != null || target.getFragment() != null) {
            throw new SourceException(
                    SourceFault.BAD_ANSWER,
                    call.subject() + ": a redirect without address, or with a user or a fragment; check the server");
        }
        if (isHttps(from) && !isHttps(target)) {
            throw refused(call, "a redirect from HTTPS to " + target.getScheme() + "; use the final address");
        }
        return target;
    }

    private boolean isOrigin(URI uri) {
        return isHttps(uri) == isHttps(origin)
                && port(uri) == port(origin)
                && String.valueOf(uri.getHost()).equalsIgnoreCase(origin.getHost());
    }

    private static boolean isHttps(URI uri) {
        return "https".equals(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT));
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : isHttps(uri) ? 443 : 80;
    }

    private static SourceException refused(HttpCall call, String why) {
        return new SourceException(SourceFault.REDIRECTS, call.subject() + ": " + why + "; use the final address");
    }
}
