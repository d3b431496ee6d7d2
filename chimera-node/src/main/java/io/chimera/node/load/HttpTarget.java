package io.chimera.node.load;

import io.chimera.archive.server.client.ClientToken;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.HandshakeFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/**
 * Posts batches over HTTP. On overload (429, 503) or an unreachable node, waits as instructed and retries the same
 * batch for a limited time, as the protocol requires of every sender.
 */
public final class HttpTarget implements LoadTarget {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final long RETRY_MS_DEFAULT = 200;
    private static final long RETRY_MS_MAX = 5_000;

    /**
     * Number of dropped points in "partial write: … dropped=3". Without this number, the response has one line per bad
     * point.
     */
    private static final Pattern DROPPED = Pattern.compile("dropped=(\\d+)");

    private final HttpClient client;
    private final URI url;
    private final Duration patience;
    private final AtomicLong retries;
    private final String contentType;
    private String lastRefusal = "";

    /**
     * Creates a target.
     *
     * @param url target of the requests
     * @param contentType content type of the batches
     * @param patience time limit for the retries of one batch
     * @param retries counter of retries
     */
    public HttpTarget(URI url, String contentType, Duration patience, AtomicLong retries) {
        this(url, contentType, patience, retries, Optional.empty());
    }

    /**
     * Creates a target with own authorities.
     *
     * @param tls context with the authorities of the node; empty for the authorities of the Java runtime
     */
    public HttpTarget(URI url, String contentType, Duration patience, AtomicLong retries, Optional<SSLContext> tls) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5));
        tls.ifPresent(builder::sslContext);
        client = builder.build();
        this.url = url;
        this.contentType = contentType;
        this.patience = patience;
        this.retries = retries;
    }

    @Override
    public long send(byte[] batch) throws IOException, InterruptedException {
        HttpRequest request = ClientToken.show(ClientToken.ofEnvironment(), HttpRequest.newBuilder(url))
                .timeout(REQUEST_TIMEOUT)
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(batch))
                .build();
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            IOException failure = null;
            long waitMs = RETRY_MS_DEFAULT;
            try {
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                int status = answer.statusCode();
                if (status != 429 && status != 503) {
                    return refusedBy(status, answer.body());
                }
                waitMs = retryAfterMs(answer);
                failure = new IOException(url + " is overloaded (" + status + "): " + firstLine(answer.body()));
            } catch (SSLHandshakeException e) {
                if (isUntrusted(e)) { // a retry cannot succeed, unlike after a connection that ends in the handshake
                    String reason = HandshakeFailure.reason(e).orElse(String.valueOf(e.getMessage()));
                    throw new IOException(
                            "the TLS handshake failed: " + reason + "; name the authority of the node with --cacert",
                            e);
                }
                failure = e;
            } catch (IOException e) {
                failure = e;
            }
            if (System.nanoTime() + waitMs * 1_000_000 > deadline) {
                throw failure;
            }
            retries.incrementAndGet();
            Thread.sleep(waitMs);
        }
    }

    private static boolean isUntrusted(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private long refusedBy(int status, String body) {
        if (status / 100 == 2) {
            return 0;
        }
        if (status != 400) {
            throw new ChimeraException(
                    Category.ERROR,
                    url + " answered " + status + ": " + firstLine(body)
                            + " Check that this is the address of an input.");
        }
        lastRefusal = body;
        Matcher dropped = DROPPED.matcher(body);
        return dropped.find() ? Long.parseLong(dropped.group(1)) : 1;
    }

    /** Returns the node's response to the last batch with refused points; empty without refusals. */
    public String lastRefusal() {
        return lastRefusal;
    }

    private static long retryAfterMs(HttpResponse<String> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("\\d{1,6}"))
                .map(text -> Math.min(Long.parseLong(text) * 1_000, RETRY_MS_MAX))
                .orElse(RETRY_MS_DEFAULT);
    }

    private static String firstLine(String body) {
        return body.lines().findFirst().orElse("");
    }
}
