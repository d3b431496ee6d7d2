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
 * Keeps the first bytes of the body of an HTTP error answer. The client of KairosDB drops the server's message unless
 * the body is JSON, and reads only the bodies of answers with status 200, 204 and 400. With any other status the
 * connection is neither reused nor released, and after two such answers the client waits forever. One thread.
 */
final class LastAnswer {
    private static final int SUCCESS = 299;

    /** Longer than any error message of KairosDB; an HTML page of a proxy is cut off. */
    private static final int BYTES_MAX = 4096;

    /** Maximum length of the message in a log line. */
    private static final int WORDS_MAX = 300;

    private int status;

    /** Body of an answer still to be read by the client; null after the body was read, or for an error. */
    private HttpEntity open;

    private String words = "";

    /** Returns a builder of HTTP clients with timeouts, which pass their answers to this object. */
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
                // the flusher retries, and logs the retries
                .setRetryHandler(new DefaultHttpRequestRetryHandler(0, false))
                .setConnectionReuseStrategy(LastAnswer::isKept)
                .addInterceptorLast((HttpResponse response, HttpContext context) -> keep(response));
    }

    /**
     * Returns whether a connection is reused. After an error the server may close the connection, and the next request
     * would notice too late.
     */
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

    /** Returns whether the server answered with an error. */
    boolean isError() {
        return status > SUCCESS;
    }

    /** Returns the status of the answer; 0 if absent. */
    int status() {
        return status;
    }

    /** Returns the server's message in a single line. */
    String words() {
        String line = words.strip().replaceAll("\\s+", " ");
        return line.length() <= WORDS_MAX ? line : line.substring(0, WORDS_MAX) + "…";
    }
}
