package io.chimera.dataset.source.http;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One request without a body. The text of the record shows neither headers nor the query, which may have credentials.
 *
 * @param method {@code GET} or {@code HEAD}
 * @param uri absolute address with percent-encoded path
 * @param headers names and values, besides {@code Host} and the headers of the connection
 * @param subject name of the object and its place for messages, without credentials
 */
public record HttpCall(String method, URI uri, Map<String, String> headers, String subject) {
    /** Header with credentials; never sent to another server. */
    public static final String AUTHORIZATION = "Authorization";

    /**
     * Copies the headers.
     *
     * @param method {@code GET} or {@code HEAD}
     * @param uri absolute address
     * @param headers names and values
     * @param subject name for messages
     */
    public HttpCall {
        headers = Map.copyOf(headers);
    }

    /** Returns the call with the credentials. */
    HttpCall with(HttpCredentials credentials) {
        String authorization = credentials.authorization();
        return authorization.isEmpty() ? this : with(AUTHORIZATION, authorization);
    }

    /** Returns the call with one more header. */
    HttpCall with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new HttpCall(method, uri, more, subject);
    }

    /** Returns the same call for another address. */
    HttpCall at(URI target) {
        return new HttpCall(method, target, headers, subject);
    }

    @Override
    public String toString() {
        return method + " " + subject;
    }
}
