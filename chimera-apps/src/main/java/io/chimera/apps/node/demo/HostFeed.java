package io.chimera.apps.node.demo;

import io.chimera.apps.node.load.HttpTarget;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends this machine's own metrics, once a second, to one queue node after the other. One thread of its own. */
final class HostFeed {
    private static final Logger LOG = LoggerFactory.getLogger(HostFeed.class);
    private static final long PERIOD_MS = 1_000;

    private final List<HttpTarget> targets = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "host-feed");
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile boolean stopped;

    /** A feed to these inputs, host:port each. */
    HostFeed(List<String> inputs) {
        for (String input : inputs) {
            targets.add(new HttpTarget(
                    URI.create("http://" + input + "/write"), "text/plain", Duration.ofSeconds(20), new AtomicLong()));
        }
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        HostMetrics metrics = new HostMetrics();
        int next = 0;
        try {
            while (!stopped) {
                byte[] lines =
                        metrics.lines(System.currentTimeMillis() * 1_000_000).getBytes(StandardCharsets.UTF_8);
                long points = new String(lines, StandardCharsets.UTF_8).lines().count();
                refused.addAndGet(targets.get(next).send(lines));
                sent.addAndGet(points);
                next = (next + 1) % targets.size();
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            LOG.debug("Feed of the machine's own metrics interrupted.");
        } catch (IOException | ChimeraException e) {
            LOG.warn("The machine's own metrics cannot be sent any more: {}", e.getMessage());
        }
    }

    /** Points that the queue nodes acknowledged. */
    long acknowledged() {
        return sent.get() - refused.get();
    }

    /** Lets the sending of the moment end, and sends nothing more. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join(Duration.ofSeconds(30).toMillis());
    }
}
