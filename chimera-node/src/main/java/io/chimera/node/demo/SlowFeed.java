package io.chimera.node.demo;

import io.chimera.common.error.ChimeraException;
import io.chimera.node.load.HttpTarget;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a text once a second, to the queue nodes in turn, on its own thread. */
final class SlowFeed {
    private static final Logger LOG = LoggerFactory.getLogger(SlowFeed.class);
    private static final long PERIOD_MS = 1_000;

    private final List<HttpTarget> targets = new ArrayList<>();
    private final String what;
    private final Supplier<byte[]> text;
    private final Thread thread;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean stopped;

    /**
     * Creates a feed.
     *
     * @param what content of the feed, for the log
     * @param inputs target inputs, host:port each
     * @param text supplier of the text, called for each send
     */
    SlowFeed(String what, List<String> inputs, Supplier<byte[]> text) {
        this.what = what;
        this.text = text;
        thread = new Thread(this::run, "feed of " + what);
        for (String input : inputs) {
            targets.add(new HttpTarget(
                    URI.create("http://" + input + "/write"), "text/plain", Duration.ofSeconds(20), new AtomicLong()));
        }
    }

    /** Creates a feed of this machine's own metrics. */
    static SlowFeed ofHost(List<String> inputs) {
        HostMetrics metrics = new HostMetrics();
        return new SlowFeed(
                "the machine's own metrics", inputs, () -> metrics.lines(System.currentTimeMillis() * 1_000_000)
                        .getBytes(StandardCharsets.UTF_8));
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        int next = 0;
        try {
            while (!stopped) {
                byte[] lines = text.get();
                long points = new String(lines, StandardCharsets.UTF_8).lines().count();
                refused.addAndGet(targets.get(next).send(lines));
                sent.addAndGet(points);
                next = (next + 1) % targets.size();
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            LOG.debug("Feed interrupted: {}", what);
        } catch (IOException | ChimeraException e) {
            LOG.warn("Feed stopped: content='{}' cause={}", what, e.getMessage());
        }
    }

    /** Returns the number of acknowledged lines. */
    long acknowledged() {
        return sent.get() - refused.get();
    }

    /** Waits for the send in progress, and sends nothing more. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join(Duration.ofSeconds(30).toMillis());
    }
}
