package io.chimera.faults.chaos.access;

import io.chimera.common.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Security settings of an HTTP client: TLS or plain text, with or without a token. Immutable. */
public final class ClientAccess {
    /** Plain text without a token. */
    public static final ClientAccess OPEN = new ClientAccess(Optional.empty(), "");

    private static final String AUTHORIZATION = "Authorization";

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

    /**
     * Opens a connection; with TLS, after the handshake.
     *
     * @param address host:port
     * @param connectTimeout maximum wait for the connection
     * @param answerTimeout maximum silence of the other end
     * @return the connection; the caller closes it
     * @throws IOException when the other end does not answer or fails the handshake
     */
    public Socket connect(String address, Duration connectTimeout, Duration answerTimeout) throws IOException {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), (int) connectTimeout.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) answerTimeout.toMillis());
            return tls.isEmpty() ? socket : over(tls.get(), socket, host, port);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket over(Tls files, Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) files.clientContext().getSocketFactory().createSocket(plain, host, port, true);
        socket.setSSLParameters(parameters(files));
        socket.startHandshake();
        return socket;
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
        return token.isEmpty() ? request : request.header(AUTHORIZATION, authorization());
    }

    /** Returns the header line with the token, for requests without {@link #request}; empty without a token. */
    public String tokenLine() {
        return token.isEmpty() ? "" : AUTHORIZATION + ": " + authorization() + "\r\n";
    }

    private String authorization() {
        return "Bearer " + token;
    }
}
