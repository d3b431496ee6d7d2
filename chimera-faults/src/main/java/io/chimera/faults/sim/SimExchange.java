package io.chimera.faults.sim;

import io.chimera.common.channel.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A write request of a simulated agent. */
final class SimExchange implements HttpExchange {
    /** One point of the request: its series and its value. */
    record Point(String series, long value) {}

    private final List<Point> points;
    private final byte[] body;
    private Object attachment;
    private int status;
    private String answer = "";

    SimExchange(List<Point> points) {
        this.points = points;
        StringBuilder text = new StringBuilder();
        for (Point point : points) {
            text.append("m,series=")
                    .append(point.series())
                    .append(" v=")
                    .append(point.value())
                    .append("i\n");
        }
        body = text.toString().getBytes(StandardCharsets.UTF_8);
    }

    List<Point> points() {
        return points;
    }

    /** Whether the points were promised to be safe. */
    boolean isAcknowledged() {
        return status == 204;
    }

    boolean isAnswered() {
        return status != 0;
    }

    String answer() {
        return status + " " + answer;
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
    public byte[] body() {
        return body;
    }

    @Override
    public int bodyLength() {
        return body.length;
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
        status = newStatus;
        answer = new String(newBody, StandardCharsets.UTF_8);
    }
}
