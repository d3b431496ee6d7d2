package io.chimera.dataset.source.http;

import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends requests over a bounded pool of HTTP/1.1 connections. One call of {@link #exchange} is one request: redirects
 * are not followed, nothing is retried, decompressed or remembered between requests. Asks {@link AllowedHosts} before
 * every request, because every request may open a connection.
 *
 * <p>Any thread; a call blocks its thread, at most for the timeouts of {@link HttpSettings}: the read timeout bounds
 * the time without a byte, and a timer cancels a call after its call timeout. Interrupting the thread ends only its
 * wait for a connection of the pool.
 */
public final class HttpTransport implements AutoCloseable {
    /** Time after which an idle connection is tested before it is used. */
    private static final TimeValue IDLE_TESTED = TimeValue.ofSeconds(1);

    private static final int HEADER_BYTES_MAX = 16 << 10;
    private static final int HEADERS_MAX = 200;
    private static final int PORT_MAX = 65_535;

    private final HttpSettings settings;
    private final AllowedHosts allowed;
    private final CloseableHttpClient client;
    private final ScheduledThreadPoolExecutor timer;
    private volatile boolean isClosed;

    /** Cancels a request that takes too long. */
    private static final class TimeLimit implements Runnable {
        private final HttpUriRequestBase request;
        private volatile boolean isOver;

        TimeLimit(HttpUriRequestBase request) {
            this.request = request;
        }

        @Override
        public void run() {
            isOver = true;
            request.cancel();
        }
    }

    /**
     * Creates a client without connections.
     *
     * @param settings limits
     * @param allowed hosts that may be contacted
     */
    public HttpTransport(HttpSettings settings, AllowedHosts allowed) {
        this.settings = settings;
        this.allowed = allowed;
        this.client = client(settings);
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "dataset-http-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    private static CloseableHttpClient client(HttpSettings settings) {
        Timeout connect = Timeout.of(settings.connectTimeout());
        Timeout read = Timeout.of(settings.readTimeout());
        return HttpClientBuilder.create()
                .setConnectionManager(connections(settings, connect, read))
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(Timeout.of(settings.callTimeout()))
                        .setResponseTimeout(read)
                        .setAuthenticationEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .build())
                .setUserAgent("chimera")
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableConnectionState()
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(
            HttpSettings settings, Timeout connect, Timeout read) {
        PoolingHttpClientConnectionManagerBuilder builder = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(settings.connectionsMax())
                .setMaxConnPerRoute(settings.connectionsMax())
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(HEADER_BYTES_MAX)
                                .setMaxHeaderCount(HEADERS_MAX)
                                .build())
                        .build())
                .setDefaultSocketConfig(SocketConfig.custom()
                        .setSoTimeout(read)
                        .setTcpNoDelay(true)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connect)
                        .setSocketTimeout(read)
                        .setValidateAfterInactivity(IDLE_TESTED)
                        .build());
        if (settings.tls() != null) {
            builder.setTlsSocketStrategy(new DefaultClientTlsStrategy(settings.tls()));
        }
        return builder.build();
    }

    /**
     * Sends a request and reads the answer.
     *
     * @param <T> result
     * @param call the request
     * @param handler reads the answer, whatever its status
     * @return result of the handler
     * @throws SourceException when the host is not allowed, no answer arrives, or the handler refuses the answer
     */
    public <T> T exchange(HttpCall call, ReplyHandler<T> handler) throws SourceException {
        HttpHost target = target(call);
        HttpUriRequestBase request = request(call);
        TimeLimit limit = new TimeLimit(request);
        ScheduledFuture<?> scheduled = schedule(limit, call);
        try {
            ClassicHttpResponse response = client.executeOpen(target, request, HttpClientContext.create());
            boolean isAtEnd = false;
            try {
                HttpReply reply = new HttpReply(response);
                T result = handler.handle(reply);
                isAtEnd = reply.drain();
                return result;
            } finally {
                end(request, response, isAtEnd);
            }
        } catch (SourceException e) {
            throw e;
        } catch (IOException e) {
            throw ended(call, limit, e);
        } catch (IllegalStateException e) {
            if (isClosed) { // by another thread, before this call had its connection
                throw HttpFaults.closed(call.subject(), e);
            }
            throw e;
        } finally {
            scheduled.cancel(false);
        }
    }

    /** Releases the connection. Closes an unfinished connection first: the release would read the rest of the body. */
    private static void end(HttpUriRequestBase request, ClassicHttpResponse response, boolean isAtEnd) {
        if (!isAtEnd) {
            request.cancel();
        }
        try {
            response.close();
        } catch (IOException e) {
            // The connection is closed, and the exchange has its result or its fault.
        }
    }

    private HttpHost target(HttpCall call) throws SourceException {
        URI uri = call.uri();
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        if (host == null || uri.getPort() > PORT_MAX || !(scheme.equals("http") || scheme.equals("https"))) {
            throw invalid(call);
        }
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        try {
            allowed.check(name, port);
        } catch (SourceException e) {
            throw new SourceException(e.fault(), call.subject() + ": " + e.getMessage());
        }
        return new HttpHost(scheme, name, port);
    }

    private static HttpUriRequestBase request(HttpCall call) throws SourceException {
        try {
            HttpUriRequestBase request = new HttpUriRequestBase(call.method(), call.uri());
            call.headers().forEach(request::setHeader);
            request.setHeader("Accept-Encoding", "identity");
            return request;
        } catch (IllegalArgumentException e) {
            throw invalid(call);
        }
    }

    private static SourceException invalid(HttpCall call) {
        return new SourceException(
                SourceFault.UNSUPPORTED,
                call.subject()
                        + ": an address that is not http or https, or has no valid host name or port; correct the"
                        + " address");
    }

    private ScheduledFuture<?> schedule(TimeLimit limit, HttpCall call) throws SourceException {
        try {
            return timer.schedule(limit, settings.callTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            throw HttpFaults.closed(call.subject(), e);
        }
    }

    private SourceException ended(HttpCall call, TimeLimit limit, Exception e) {
        if (limit.isOver) {
            return HttpFaults.overtime(call.subject(), settings.callTimeout(), e);
        }
        return isClosed ? HttpFaults.closed(call.subject(), e) : HttpFaults.of(call.subject(), e);
    }

    /** Closes all connections at once; calls under way fail. */
    @Override
    public void close() {
        isClosed = true;
        timer.shutdownNow();
        client.close(CloseMode.IMMEDIATE);
    }
}
