package io.chimera.common.channel;

import io.chimera.common.identity.PeerCertificate;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Request in memory that records its answer. */
public final class MemoryExchange implements HttpExchange {
    private final String method;
    private final String path;
    private final Map<String, String> parameters = new HashMap<>();
    private final Map<String, String> headers = new HashMap<>();
    private byte[] body = new byte[0];
    private Object attachment;
    private String principal = "";
    private PeerCertificate certificate;
    private InetSocketAddress client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);

    private volatile int status;
    private volatile boolean isWatched;
    private volatile boolean isGone;
    private volatile boolean isCutOff;
    private Map<String, String> answerHeaders = Map.of();
    private byte[] answer = new byte[0];

    /** Creates a request without parameters and body. */
    public MemoryExchange(String method, String path) {
        this.method = method;
        this.path = path;
    }

    /** Adds a query parameter. */
    public MemoryExchange with(String parameter, String value) {
        parameters.put(parameter, value);
        return this;
    }

    /** Adds a header; the name must be in lower case. */
    public MemoryExchange header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Sets the address of the client; the default is a loopback address. */
    public MemoryExchange from(String host) {
        client = new InetSocketAddress(host, 40_000);
        return this;
    }

    /** Sets the client certificate. */
    public MemoryExchange with(PeerCertificate shown) {
        certificate = shown;
        return this;
    }

    /** Sets the body. */
    public MemoryExchange body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body. */
    public MemoryExchange body(byte[] bytes) {
        body = bytes;
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String parameter(String name) {
        return parameters.get(name);
    }

    @Override
    public String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public InetSocketAddress client() {
        return client;
    }

    @Override
    public Optional<PeerCertificate> certificate() {
        return Optional.ofNullable(certificate);
    }

    @Override
    public String principal() {
        return principal;
    }

    @Override
    public boolean admit(String newPrincipal, int connectionsMax, PrincipalConnections all) {
        principal = newPrincipal;
        return true;
    }

    @Override
    public byte[] body() {
        return body;
    }

    @Override
    public int bodyLength() {
        return body.length;
    }

    @Override
    public void releaseBody() {
        body = new byte[0];
    }

    @Override
    public Object attachment() {
        return attachment;
    }

    @Override
    public void attach(Object state) {
        attachment = state;
    }

    @Override
    public void respond(int newStatus, Map<String, String> newHeaders, byte[] newBody) {
        if (status != 0) {
            throw new IllegalStateException("Answered twice.");
        }
        answerHeaders = Map.copyOf(newHeaders);
        answer = newBody.clone();
        body = new byte[0]; // owned by the handler only until its answer
        status = newStatus; // written last: threads waiting for the status then see all other fields
    }

    @Override
    public void watch() {
        isWatched = true;
    }

    @Override
    public boolean isGone() {
        return isWatched && isGone;
    }

    /** Simulates a client disconnect. */
    public void leave() {
        isGone = true;
    }

    /** Returns whether an answer in parts was begun and then cut off. */
    public boolean isCutOff() {
        return isCutOff;
    }

    @Override
    public HttpAnswer respondInParts(int newStatus, Map<String, String> newHeaders) {
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        return new HttpAnswer() {
            @Override
            public void write(byte[] bytes, int offset, int length) {
                parts.write(bytes, offset, length);
            }

            @Override
            public void end(Map<String, String> trailers) {
                Map<String, String> all = new HashMap<>(newHeaders);
                all.putAll(trailers);
                respond(newStatus, all, parts.toByteArray());
            }

            @Override
            public void cutOff() {
                isCutOff = true;
            }

            @Override
            public void close() {
                isCutOff |= status == 0;
            }
        };
    }

    /** Status of the answer; 0 before the answer. */
    public int status() {
        return status;
    }

    /** Header of the answer; null for a missing header. */
    public String answerHeader(String name) {
        return answerHeaders.get(name);
    }

    /** Body of the answer as bytes. */
    public byte[] answerBytes() {
        return answer.clone();
    }

    /** Body of the answer. */
    public String answer() {
        return new String(answer, StandardCharsets.UTF_8);
    }
}
