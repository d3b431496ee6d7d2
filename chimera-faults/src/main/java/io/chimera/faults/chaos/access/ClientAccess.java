package io.chimera.faults.chaos.access;

import io.chimera.common.security.Tls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Security settings of an HTTP client: TLS or plain text, with or without a token. Immutable. */
public final class ClientAccess {
    /** Plain text without a token. */
    public static final ClientAccess OPEN = new ClientAccess(Optional.empty(), "");

    private final Optional<Tls> tls;
    private final String token;

    ClientAccess(Optional<Tls> tls, String token) {
        this.tls = tls;
        this.token = token;
    }

    /**
     * Creates a client.
     *
     * @param connectTimeout maximum wait for a connection
     */
    public HttpClient client(Duration connectTimeout) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout);
        tls.ifPresent(files -> builder.sslContext(files.clientContext()).sslParameters(parameters(files)));
        return builder.build();
    }

    private static SSLParameters parameters(Tls files) {
        SSLParameters parameters = files.clientParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        return parameters;
    }

    /** Returns the TLS context for sockets; empty for plain text. */
    public Optional<SSLContext> context() {
        return tls.map(Tls::clientContext);
    }

    /**
     * Creates a request with the token.
     *
     * @param address host:port
     * @param path with the query, e.g. {@code /write}
     */
    public HttpRequest.Builder request(String address, String path) {
        URI uri = URI.create((tls.isPresent() ? "https://" : "http://") + address + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }
}
