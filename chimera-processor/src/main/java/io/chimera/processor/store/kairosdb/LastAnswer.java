package io.chimera.processor.store.kairosdb;

import io.chimera.common.security.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.http.HttpEntity;
import org.apache.http.HttpResponse;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.conn.ssl.SSLConnectionSocketFactory;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.DefaultClientConnectionReuseStrategy;
import org.apache.http.impl.client.DefaultHttpRequestRetryHandler;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.protocol.HttpContext;
import org.apache.http.util.EntityUtils;

/**
 * Keeps the beginning of the body of an answer that is no success. The client of KairosDB drops the server's words unless
 * they are JSON, and never reads the body of an answer other than 200, 204 and 400: then the connection it came over is
 * never used again nor given back, and after two of these the client waits for ever. One thread.
 */
final class LastAnswer {
    private static final int SUCCESS = 299;

    /** More than any error message of KairosDB; a proxy's page of HTML is cut. */
    private static final int BYTES_MAX = 4096;

    /** As much of it as goes into a log line. */
    private static final int WORDS_MAX = 300;

    private int status;

    /** Body of an answer that the client is to read; null when it is read, or an error. */
    private HttpEntity open;

    private String words = "";

    /** A builder of HTTP clients with timeouts that show their answers to this. */
    HttpClientBuilder clientBuilder(Duration timeout, Optional<Tls> tls) {
        int timeoutMs = Math.toIntExact(timeout.toMillis());
        RequestConfig timeouts = RequestConfig.custom()
                .setConnectTimeout(timeoutMs)
                .setSocketTimeout(timeoutMs)
                .setConnectionRequestTimeout(timeoutMs)
                .build();
        HttpClientBuilder builder = HttpClientBuilder.create();
        tls.ifPresent(files -> builder.setSSLSocketFactory(new SSLConnectionSocketFactory(
                files.clientContext(),
                files.clientParameters().getProtocols(),
                files.clientParameters().getCipherSuites(),
                SSLConnectionSocketFactory.getDefaultHostnameVerifier())));
        return builder.setDefaultRequestConfig(timeouts)
                .disableRedirectHandling()
                .disableCookieManagement()
                .setRetryHandler(new DefaultHttpRequestRetryHandler(0, false)) // the flusher tries again, and says so
                .setConnectionReuseStrategy(LastAnswer::isKept)
                .addInterceptorLast((HttpResponse response, HttpContext context) -> keep(response));
    }

    /** After an error the server may close the connection, and the next request would find out too late. */
    private static boolean isKept(HttpResponse response, HttpContext context) {
        return response.getStatusLine().getStatusCode() <= SUCCESS
                && DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(response, context);
    }

    private void keep(HttpResponse response) throws IOException {
        status = response.getStatusLine().getStatusCode();
        words = response.getStatusLine().getReasonPhrase();
        HttpEntity entity = response.getEntity();
        if (entity == null || !isError()) {
            open = entity;
            return;
        }
        byte[] beginning;
        try (InputStream body = entity.getContent()) {
            beginning = body.readNBytes(BYTES_MAX);
        } finally {
            EntityUtils.consumeQuietly(entity);
        }
        if (beginning.length > 0) {
            words = new String(beginning, StandardCharsets.UTF_8);
        }
        ByteArrayEntity kept = new ByteArrayEntity(beginning);
        kept.setContentType(entity.getContentType());
        response.setEntity(kept);
    }

    /** Returns the connection of an answer whose body the client could not read, e.g. without a content type. */
    void release() {
        EntityUtils.consumeQuietly(open);
        open = null;
    }

    void clear() {
        open = null;
        status = 0;
        words = "";
    }

    /** Whether the server answered, and not with success. */
    boolean isError() {
        return status > SUCCESS;
    }

    /** Status of the answer; 0 when there is none. */
    int status() {
        return status;
    }

    /** What the server said, in one line. */
    String words() {
        String line = words.strip().replaceAll("\\s+", " ");
        return line.length() <= WORDS_MAX ? line : line.substring(0, WORDS_MAX) + "…";
    }
}
