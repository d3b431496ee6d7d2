package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.netty.share.BodyBudget;
import io.chimera.common.identity.PeerCertificate;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request with its body. A new object per request, so a late answer can never reach a later request. */
final class NettyExchange implements HttpExchange {
    /** Maximum number of query parameters; further parameters are ignored. */
    private static final int PARAMETERS_MAX = 256;

    private final HttpConnection connection;
    private final String method;
    private final HttpHeaders headers;
    private final String path;
    private final Map<String, List<String>> parameters;
    private final AtomicBoolean answered = new AtomicBoolean();
    private byte[] body = RequestBody.EMPTY;
    private int bodyLength;
    private Object attachment;
    private String principal = "";
    private BodyBudget budget = BodyBudget.NONE;

    /**
     * Creates a request without its body.
     *
     * @throws IllegalArgumentException if the target cannot be decoded
     */
    NettyExchange(HttpConnection connection, HttpRequest request) {
        this.connection = connection;
        method = request.method().name();
        headers = request.headers();
        QueryStringDecoder target =
                new QueryStringDecoder(originForm(request.uri()), StandardCharsets.UTF_8, true, PARAMETERS_MAX, true);
        path = target.path();
        parameters = target.parameters();
    }

    /** Returns path and query of an absolute target (with scheme and host), as in requests to proxies. */
    private static String originForm(String uri) {
        int scheme = uri.indexOf("://");
        int slash = uri.indexOf('/');
        if (scheme < 0 || slash != scheme + 1) {
            return uri;
        }
        int pathStart = uri.indexOf('/', scheme + 3);
        return pathStart < 0 ? "/" : uri.substring(pathStart);
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
        List<String> values = parameters.get(name);
        return values == null ? null : values.get(0);
    }

    @Override
    public String header(String name) {
        return headers.get(name);
    }

    @Override
    public InetSocketAddress client() {
        return connection.address();
    }

    @Override
    public Optional<PeerCertificate> certificate() {
        return connection.certificate();
    }

    @Override
    public String principal() {
        return principal;
    }

    @Override
    public boolean admit(String newPrincipal, int connectionsMax, PrincipalConnections all) {
        principal = newPrincipal;
        return connection.admit(newPrincipal, connectionsMax, all);
    }

    @Override
    public byte[] body() {
        return body;
    }

    @Override
    public int bodyLength() {
        return bodyLength;
    }

    @Override
    public void releaseBody() {
        connection.giveBack(this);
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
    public void respond(int status, Map<String, String> newHeaders, byte[] content) {
        FullHttpResponse response = response(status, newHeaders, content, method.equals(HttpMethod.HEAD.name()));
        if (answered.getAndSet(true)) {
            throw new IllegalStateException(method + " " + path + " was answered before.");
        }
        connection.answers().answer(this, response);
    }

    @Override
    public HttpAnswer respondInParts(int status, Map<String, String> newHeaders) {
        if (answered.getAndSet(true)) {
            throw new IllegalStateException(method + " " + path + " was answered before.");
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        newHeaders.forEach(response.headers()::set);
        connection.answers().begin(this, response);
        return new NettyAnswer(connection.answers());
    }

    @Override
    public void watch() {
        connection.watch();
    }

    @Override
    public boolean isGone() {
        return connection.isGone();
    }

    /** Returns whether an answer was sent or begun. */
    boolean isAnswered() {
        return answered.get();
    }

    void body(byte[] newBody, int newLength, BodyBudget newBudget) {
        body = newBody;
        bodyLength = newLength;
        budget = newBudget;
    }

    /** Takes the body from the handler and returns the array to the pool. */
    void returnBody(BodyPool pool) {
        byte[] old = body;
        body = RequestBody.EMPTY;
        bodyLength = 0;
        pool.give(old);
        budget.release(old.length);
    }

    static FullHttpResponse response(int status, Map<String, String> headers, byte[] content, boolean head) {
        boolean bodiless = status == 204 || status == 304;
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                bodiless || head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(content));
        headers.forEach(response.headers()::set);
        if (!bodiless) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.length);
        }
        return response;
    }
}
