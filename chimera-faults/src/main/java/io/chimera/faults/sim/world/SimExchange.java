package io.chimera.faults.sim.world;

import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.PrincipalConnections;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A write request of a simulated agent. */
public final class SimExchange implements HttpExchange {
    private static final int ACCEPTED = 204;

    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);

    private final List<SimPoint> points;
    private byte[] body;
    private final Consumer<SimExchange> onAccepted;
    private Object attachment;
    private String principal = "";
    private int status;

    /**
     * Creates a request.
     *
     * @param points points of the request
     * @param onAccepted called on a success answer
     */
    public SimExchange(List<SimPoint> points, Consumer<SimExchange> onAccepted) {
        this.points = points;
        this.onAccepted = onAccepted;
        StringBuilder text = new StringBuilder();
        points.forEach(point -> text.append(point.line()));
        body = text.toString().getBytes(StandardCharsets.UTF_8);
    }

    public List<SimPoint> points() {
        return points;
    }

    /** Returns whether the request was answered with success. */
    boolean isAccepted() {
        return status == ACCEPTED;
    }

    boolean isAnswered() {
        return status != 0;
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return "/write";
    }

    @Override
    public String parameter(String name) {
        return null;
    }

    @Override
    public String header(String name) {
        return null;
    }

    @Override
    public InetSocketAddress client() {
        return CLIENT;
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
    public void respond(int newStatus, Map<String, String> headers, byte[] newBody) {
        Violation.unless(
                !isAnswered(),
                "Answered",
                () -> String.format("A request was answered twice: %d and %d.", status, newStatus));
        status = newStatus;
        if (isAccepted()) {
            onAccepted.accept(this);
        }
    }

    @Override
    public void watch() {
        // The client always waits for the answer.
    }

    @Override
    public boolean isGone() {
        return false;
    }

    @Override
    public HttpAnswer respondInParts(int newStatus, Map<String, String> headers) {
        throw new IllegalStateException("A write request has no answer in parts.");
    }
}
