package io.chimera.faults.chaos.intruder;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.common.access.HttpRoute;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.faults.chaos.access.ClusterCredentials;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Attacks every port of the cluster in separate threads and counts the results. The intruder has a separate authority,
 * a certificate of the cluster's authority for another cluster, and the certificate of an operator, but neither tokens
 * nor the secret. One thread starts and ends the attacks.
 */
public final class Intruder implements AutoCloseable {
    private static final int THREADS = 3;

    /** Routes of a port tried in an attack. */
    private static final int ROUTES_PER_ATTACK = 3;

    private static final String OTHER = "other1";

    /** TLS identities of the intruder. */
    private enum Identity {
        NOBODY,
        FOREIGN_AUTHORITY,
        OTHER_CLUSTER,
        OPERATOR
    }

    private record Task(AttackKind attack, AttackTarget target) {}

    private final ClusterCredentials credentials;
    private final ClusterCredentials foreign;
    private final IntruderWire wire;
    private final ZooKeeperVisit visits = new ZooKeeperVisit(ClusterCredentials.CLUSTER);
    private final Supplier<Knowledge> knowledge;
    private final AttackTally tally = new AttackTally();
    private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Random random;
    private volatile boolean stopping;

    /**
     * Information that the intruder has learned elsewhere: valid identities.
     *
     * @param session of a live queue node
     * @param cycle an open cycle
     */
    public record Knowledge(long session, long cycle) {}

    /**
     * Creates an intruder without attacks.
     *
     * @param seed of its choices
     * @param credentials of the cluster, used only as far as an outsider could have them
     * @param folder takes its own authority
     * @param from its own address
     * @param knowledge queried before each conversation
     */
    public Intruder(
            long seed, ClusterCredentials credentials, Path folder, String from, Supplier<Knowledge> knowledge) {
        random = new Random(seed);
        this.credentials = credentials;
        this.knowledge = knowledge;
        wire = new IntruderWire(from);
        foreign = ClusterCredentials.make(folder);
        foreign.issue(NodeIdentity.QUEUE, "q1", List.of(from));
        credentials.issueForeign("elsewhere", NodeIdentity.QUEUE, OTHER, List.of(from));
    }

    /** Returns the results so far. */
    public AttackTally tally() {
        return tally;
    }

    /** Attacks the ports until {@link #close}, with each kind at each port in turn. */
    public void begin(List<AttackTarget> targets) {
        stopping = false;
        if (tasks.isEmpty()) {
            tasks.addAll(plan(targets));
        }
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> work(targets), "intruder-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Tries each kind of attack at each port once, and waits for the end. */
    public void attackAll(List<AttackTarget> targets) throws InterruptedException {
        tasks.clear();
        tasks.addAll(plan(targets));
        stopping = false;
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> work(List.of()), "intruder-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
    }

    /** Ends the attacks after the current attempts. */
    @Override
    public void close() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }

    private synchronized List<Task> plan(List<AttackTarget> targets) {
        List<Task> plan = new ArrayList<>();
        for (AttackTarget target : targets) {
            attacks(target.kind()).forEach(attack -> plan.add(new Task(attack, target)));
        }
        Collections.shuffle(plan, random);
        return plan;
    }

    private static List<AttackKind> attacks(AttackTarget.Kind kind) {
        return switch (kind) {
            case NODE_HTTP, INPUT ->
                List.of(
                        AttackKind.PLAIN_HTTP,
                        AttackKind.PLAIN_FRAMES,
                        AttackKind.MALFORMED,
                        AttackKind.HTTP_WITHOUT_TOKEN,
                        AttackKind.HTTP_WRONG_TOKEN,
                        AttackKind.HTTP_OTHER_SPELLING);
            case NODES ->
                List.of(
                        AttackKind.PLAIN_HTTP,
                        AttackKind.PLAIN_FRAMES,
                        AttackKind.MALFORMED,
                        AttackKind.FRAMES_WITHOUT_CERTIFICATE,
                        AttackKind.FRAMES_FOREIGN_AUTHORITY,
                        AttackKind.FRAMES_OTHER_CLUSTER,
                        AttackKind.FRAMES_OTHER_IDENTITY);
            case ZOOKEEPER ->
                List.of(
                        AttackKind.PLAIN_HTTP,
                        AttackKind.MALFORMED,
                        AttackKind.ZOOKEEPER_PLAIN,
                        AttackKind.ZOOKEEPER_FOREIGN_AUTHORITY,
                        AttackKind.ZOOKEEPER_WITHOUT_SECRET);
            case ZOOKEEPER_QUORUM, UNKNOWN ->
                List.of(AttackKind.PLAIN_HTTP, AttackKind.PLAIN_FRAMES, AttackKind.MALFORMED);
        };
    }

    private void work(List<AttackTarget> again) {
        try {
            while (!stopping) {
                Task task = tasks.poll();
                if (task != null) {
                    attack(task);
                } else if (again.isEmpty()) {
                    return;
                } else {
                    tasks.addAll(plan(again));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attack(Task task) throws InterruptedException {
        AttackTarget target = task.target();
        switch (task.attack()) {
            case PLAIN_HTTP -> http(task, Optional.empty(), "/status", "");
            case PLAIN_FRAMES -> frames(task, Optional.empty());
            case FRAMES_WITHOUT_CERTIFICATE -> frames(task, Optional.of(context(Identity.NOBODY)));
            case FRAMES_FOREIGN_AUTHORITY -> frames(task, Optional.of(context(Identity.FOREIGN_AUTHORITY)));
            case FRAMES_OTHER_CLUSTER -> frames(task, Optional.of(context(Identity.OTHER_CLUSTER)));
            case FRAMES_OTHER_IDENTITY -> frames(task, Optional.of(context(Identity.OPERATOR)));
            case MALFORMED -> malformed(task);
            case HTTP_WITHOUT_TOKEN -> routes(target).forEach(path -> https(task, path, ""));
            case HTTP_WRONG_TOKEN -> routes(target).forEach(path -> https(task, path, wrongCredentials()));
            case HTTP_OTHER_SPELLING -> routes(target).forEach(path -> https(task, respelled(path), ""));
            case ZOOKEEPER_PLAIN -> zooKeeper(task, ZooKeeperVisit.plain(), Optional.empty());
            case ZOOKEEPER_FOREIGN_AUTHORITY ->
                zooKeeper(
                        task,
                        ZooKeeperVisit.over(foreign.joined(NodeIdentity.QUEUE, "q1"), credentials.ca()),
                        Optional.empty());
            case ZOOKEEPER_WITHOUT_SECRET ->
                zooKeeper(
                        task,
                        ZooKeeperVisit.over(
                                credentials.joined(NodeIdentity.OPERATOR, ClusterCredentials.CLUSTER),
                                credentials.ca()),
                        choose(2) == 0 ? Optional.empty() : Optional.of("0123456789abcdef0123456789abcdef"));
        }
    }

    private synchronized int choose(int bound) {
        return random.nextInt(bound);
    }

    private void note(Task task, String what, Outcome outcome) {
        tally.add(task.attack(), task.target() + what, outcome);
    }

    // Frames

    private void frames(Task task, Optional<SSLContext> tls) {
        Knowledge now = knowledge.get();
        byte[] sent = ChannelTalk.conversation(ClusterCredentials.CLUSTER, now.session(), now.cycle());
        IntruderWire.Answer answer = wire.talk(task.target(), tls, sent, IntruderWire.FRAME_ANSWER_MS);
        note(
                task,
                "",
                !answer.isReached()
                        ? Outcome.UNREACHABLE
                        : ChannelTalk.isAccepted(answer.bytes()) ? Outcome.SUCCEEDED : Outcome.REFUSED);
    }

    private void malformed(Task task) {
        byte[] garbage = new byte[1 + choose(4_000)];
        byte[] talk = ChannelTalk.conversation(ClusterCredentials.CLUSTER, 1, 1);
        synchronized (this) {
            random.nextBytes(garbage);
        }
        byte[] damaged = talk.clone();
        damaged[choose(damaged.length)] ^= (byte) (1 + choose(255));
        List<byte[]> messages = List.of(
                garbage,
                damaged,
                Arrays.copyOf(talk, choose(talk.length)),
                new byte[] {-1, -1, -1, 0, 0, 0, 0, 0},
                "POST /write HTTP/1.1\r\nContent-Length: -1\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(US_ASCII),
                ("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n\r\n").getBytes(US_ASCII));
        byte[] message = messages.get(choose(messages.size()));
        Optional<SSLContext> tls = choose(2) == 0 ? Optional.empty() : Optional.of(context(Identity.NOBODY));
        IntruderWire.Answer answer = wire.talk(task.target(), tls, message, IntruderWire.FRAME_ANSWER_MS);
        boolean isTaken = ChannelTalk.isAccepted(answer.bytes()) || isSuccess(answer.bytes());
        note(task, "", !answer.isReached() ? Outcome.UNREACHABLE : isTaken ? Outcome.SUCCEEDED : Outcome.REFUSED);
    }

    // HTTP

    private List<String> routes(AttackTarget target) {
        HttpRoute.Surface surface =
                target.kind() == AttackTarget.Kind.INPUT ? HttpRoute.Surface.INFLUX : HttpRoute.Surface.NODE;
        List<String> paths = new ArrayList<>(Arrays.stream(HttpRoute.values())
                .filter(route -> route.surface() == surface && route.role().isPresent())
                .map(HttpRoute::path)
                .toList());
        synchronized (this) {
            Collections.shuffle(paths, random);
        }
        return paths.subList(0, Math.min(ROUTES_PER_ATTACK, paths.size()));
    }

    private String respelled(String path) {
        return switch (choose(6)) {
            case 0 -> "/" + path;
            case 1 -> path + "/";
            case 2 -> "/health/live/.." + "/.." + path;
            case 3 -> path.toUpperCase(Locale.ROOT);
            case 4 -> "/%2e" + path;
            default -> path + ";x=/health/live";
        };
    }

    /** Returns a header with wrong credentials. */
    private String wrongCredentials() {
        String guess = Long.toHexString(choose(Integer.MAX_VALUE)).repeat(8);
        String user = choose(2) == 0 ? "sender" : "operator";
        return switch (choose(3)) {
            case 0 -> "Authorization: Bearer " + guess + "\r\n";
            case 1 -> "Authorization: Token " + user + ":" + guess + "\r\n";
            default ->
                "Authorization: Basic " + Base64.getEncoder().encodeToString((user + ":" + guess).getBytes(US_ASCII))
                        + "\r\n";
        };
    }

    private void https(Task task, String path, String header) {
        http(task, Optional.of(context(Identity.NOBODY)), path, header);
    }

    private void http(Task task, Optional<SSLContext> tls, String path, String header) {
        boolean isChanging = path.contains("/-/") || task.target().kind() == AttackTarget.Kind.INPUT || choose(2) == 0;
        String body = isChanging ? "chaos,key=intruder v=1i\n" : "";
        String request = (isChanging ? "POST " : "GET ") + path + " HTTP/1.1\r\nHost: "
                + task.target().host() + "\r\n" + header + "Connection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        IntruderWire.Answer answer =
                wire.talk(task.target(), tls, request.getBytes(US_ASCII), IntruderWire.HTTP_ANSWER_MS);
        note(
                task,
                path,
                !answer.isReached()
                        ? Outcome.UNREACHABLE
                        : isSuccess(answer.bytes()) ? Outcome.SUCCEEDED : Outcome.REFUSED);
    }

    private static boolean isSuccess(byte[] answer) {
        return new String(answer, 0, Math.min(answer.length, 16), US_ASCII).matches("(?s)HTTP/1\\.[01] 2.*");
    }

    // ZooKeeper

    private void zooKeeper(Task task, ZKClientConfig config, Optional<String> secret) throws InterruptedException {
        note(task, "", visits.visit(task.target(), config, secret));
    }

    // TLS

    private SSLContext context(Identity identity) {
        try {
            KeyManager[] keys =
                    switch (identity) {
                        case NOBODY -> new KeyManager[0];
                        case FOREIGN_AUTHORITY ->
                            new KeyManager[] {
                                foreign.tls(NodeIdentity.QUEUE, "q1").keyManager()
                            };
                        case OTHER_CLUSTER ->
                            new KeyManager[] {
                                credentials.tls(NodeIdentity.QUEUE, OTHER).keyManager()
                            };
                        case OPERATOR ->
                            new KeyManager[] {
                                credentials
                                        .tls(NodeIdentity.OPERATOR, ClusterCredentials.CLUSTER)
                                        .keyManager()
                            };
                    };
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {new TrustsEverybody()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new ChimeraException(Category.FATAL, "The JDK offers no TLS (" + e.getMessage() + ").", e);
        }
    }

    /** Accepts every server: the intruder does not verify certificates. */
    private static final class TrustsEverybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
