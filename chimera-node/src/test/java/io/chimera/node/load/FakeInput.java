package io.chimera.node.load;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

/** HTTP input with prepared answers; keeps the accepted bodies. */
final class FakeInput implements AutoCloseable {
    private final HttpServer server;
    private final Deque<Answer> answers = new ConcurrentLinkedDeque<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    record Answer(int status, String retryAfter, String body) {}

    FakeInput() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/write", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Answer answer = answers.isEmpty() ? new Answer(204, null, "") : answers.remove();
            if (answer.status() == 204) {
                bodies.add(body);
            }
            if (answer.retryAfter() != null) {
                exchange.getResponseHeaders().add("Retry-After", answer.retryAfter());
            }
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    /** Queues an answer for a later request; without queued answers, the answer is 204. */
    FakeInput answer(int status, String retryAfter, String body) {
        answers.add(new Answer(status, retryAfter, body));
        return this;
    }

    /** Returns the bodies answered with 204. */
    List<String> taken() {
        return bodies;
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String url() {
        return "http://" + address() + "/write";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
