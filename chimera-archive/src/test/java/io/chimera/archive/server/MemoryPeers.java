package io.chimera.archive.server;

import io.chimera.archive.distributed.Peers;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.client.Backoff;
import io.chimera.archive.server.client.PeerAnswer;
import io.chimera.archive.server.client.RemotePackets;
import io.chimera.archive.server.client.RemotePoints;
import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Archive nodes of one process, queried without a network; an answer has only a small buffer. */
final class MemoryPeers implements Peers, AutoCloseable {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    private final Map<String, QueryService> services;
    private final Backoff patience = new Backoff(new Random(1));
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();

    MemoryPeers(Map<String, QueryService> services) {
        this.services = services;
    }

    /** Returns peers that pause after the first queried node. */
    Peers pausing(Runnable pause) {
        MemoryPeers all = this;
        return new Peers() {
            private boolean hasPaused;

            @Override
            public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
                all.bring(to, parcel, reply);
            }

            @Override
            public List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions) {
                return all.ask(nodes, questions);
            }

            @Override
            public FoundPackets packets(ArchiveMember from, Question question) {
                FoundPackets packets = all.packets(from, question);
                if (!hasPaused) {
                    hasPaused = true;
                    pause.run();
                }
                return packets;
            }

            @Override
            public FoundPoints points(ArchiveMember from, Question question) {
                return all.points(from, question);
            }

            @Override
            public void awaitRoom(int refusals) {
                all.awaitRoom(refusals);
            }
        };
    }

    @Override
    public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
        throw new UnsupportedOperationException("No index is shared here.");
    }

    @Override
    public List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions) {
        throw new UnsupportedOperationException("No index is shared here.");
    }

    @Override
    public FoundPackets packets(ArchiveMember from, Question question) {
        return new RemotePackets(answer(from, question, AnswerFormat.PACKETS));
    }

    @Override
    public FoundPoints points(ArchiveMember from, Question question) {
        return new RemotePoints(answer(from, question, AnswerFormat.POINTS), PointFilter.compile(question.filter()));
    }

    private PeerAnswer answer(ArchiveMember from, Question question, AnswerFormat format) {
        CompletableFuture<HttpResponse<InputStream>> answer = new CompletableFuture<>();
        services.get(from.id()).handle(exchange(question, format, answer));
        return new PeerAnswer(from, answer, watch, SILENCE_MAX);
    }

    @Override
    public void awaitRoom(int refusals) {
        refused.incrementAndGet();
        try {
            boolean unused = closed.await(patience.before(refusals).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all waits for capacity. */
    void waitNoMore() {
        closed.countDown();
    }

    /** Returns the number of refusals for lack of capacity. */
    int refused() {
        return refused.get();
    }

    private static HttpExchange exchange(
            Question question, AnswerFormat format, CompletableFuture<HttpResponse<InputStream>> answer) {
        MemoryExchange request = new MemoryExchange("POST", QueryService.PATH)
                .with("format", format.toString())
                .body(question.text());
        return proxy(
                HttpExchange.class,
                request,
                Map.of(
                        "respond",
                                arguments -> {
                                    answer.complete(response(
                                            (int) arguments[0], new ByteArrayInputStream((byte[]) arguments[2])));
                                    return null;
                                },
                        "respondInParts",
                                arguments -> {
                                    Pipe pipe = new Pipe();
                                    answer.complete(response((int) arguments[0], pipe.in()));
                                    return pipe;
                                }));
    }

    private interface Call {
        Object of(Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Object of, Map<String, Call> calls) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Call call = calls.get(method.getName());
                    try {
                        return call == null ? method.invoke(of, arguments) : call.of(arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @SuppressWarnings("unchecked") // a proxy has no typed arguments
    private static HttpResponse<InputStream> response(int status, InputStream body) {
        return proxy(HttpResponse.class, body, Map.of("statusCode", arguments -> status, "body", arguments -> body));
    }

    @Override
    public void close() {
        closed.countDown();
        watch.shutdownNow();
    }

    /** Answer in transfer with a buffer of one part. */
    private static final class Pipe implements HttpAnswer {
        private byte[] part = new byte[0];
        private int read;
        private boolean isWhole;
        private boolean isOver;

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            awaitRoom();
            part = Arrays.copyOfRange(bytes, offset, offset + length);
            read = 0;
            notifyAll();
        }

        private void awaitRoom() {
            await(() -> read == part.length || isOver);
            if (isOver) {
                throw new ChimeraException(Category.WARN, "The client went away.");
            }
        }

        private synchronized void await(BooleanSupplier isSo) {
            try {
                while (!isSo.getAsBoolean()) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                isOver = true;
            }
        }

        @Override
        public synchronized void end(Map<String, String> trailers) {
            isWhole = true;
            notifyAll();
        }

        @Override
        public void cutOff() {
            close();
        }

        @Override
        public synchronized void close() {
            isOver = !isWhole;
            notifyAll();
        }

        private InputStream in() {
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    return take(into, offset, length);
                }

                @Override
                public void close() {
                    leave();
                }
            };
        }

        private synchronized int take(byte[] into, int offset, int length) throws IOException {
            await(() -> read < part.length || isWhole || isOver);
            if (isOver) {
                throw new IOException("cut off");
            }
            int count = Math.min(length, part.length - read);
            System.arraycopy(part, read, into, offset, count);
            read += count;
            notifyAll();
            return count == 0 ? -1 : count;
        }

        private synchronized void leave() {
            isOver = true;
            notifyAll();
        }
    }
}
