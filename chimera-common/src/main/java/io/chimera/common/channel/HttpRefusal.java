package io.chimera.common.channel;

import java.util.Map;

/** Answer of a request refused before reading its body; the connection is closed afterwards. */
public final class HttpRefusal {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    /**
     * Creates an answer.
     *
     * @param headers headers of the answer, including {@code Content-Type}
     */
    public HttpRefusal(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body.clone();
    }

    /** Status of the answer. */
    public int status() {
        return status;
    }

    /** Headers of the answer. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Body of the answer. */
    public byte[] body() {
        return body.clone();
    }
}
