package io.chimera.flow.ipfix.collector;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State of one exporter (an observation domain at an address): templates, samplers, and the next expected sequence
 * number. Used by one thread.
 */
final class Exporter {
    /** Maximum number of samplers per exporter with a remembered rate. */
    static final int SAMPLERS_MAX = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Exporter.class);
    private static final long LOG_AGAIN_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int UNKNOWN = -1;

    private final InetSocketAddress address;
    private final int version;
    private final long domain;
    private final TemplateRoom room;
    private final Counters<QueueCounter> counters;
    private final byte[] host;
    private final Int2ObjectHashMap<Template> templates = new Int2ObjectHashMap<>();
    private final Long2LongHashMap samplers = new Long2LongHashMap(UNKNOWN);

    private long samplingInterval;
    private long initMs = UNKNOWN;
    private long heardNs;

    private boolean isSequenceKnown;
    private int nextSequence;
    private long lost;
    private long lostLogged;
    private long lostLoggedNs;
    private boolean isUntoldLogged;

    /**
     * Creates an exporter without templates or samplers.
     *
     * @param address sender address; null when unknown
     * @param version version of the messages
     * @param domain observation domain, source or engine
     * @param room budget for templates
     * @param counters counters of the node
     */
    Exporter(InetSocketAddress address, int version, long domain, TemplateRoom room, Counters<QueueCounter> counters) {
        this.address = address;
        this.version = version;
        this.domain = domain;
        this.room = room;
        this.counters = counters;
        host = (address == null ? "unknown" : address.getAddress().getHostAddress())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** IP address as text. */
    byte[] host() {
        return host;
    }

    /** Observation domain, source or engine. */
    long domain() {
        return domain;
    }

    /** Records the time of a message. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /** Time of the last message. */
    long heardNs() {
        return heardNs;
    }

    // templates

    /** Returns a template by number; null when unknown. */
    @HotPath
    Template template(int id) {
        return templates.get(id);
    }

    /**
     * Adds a template, replacing any template with the same number; counted as refused when the input's template limit
     * is reached.
     */
    void template(int id, Template template) {
        Template before = templates.get(id);
        if (before != null && before.isToldAgain(template)) {
            return;
        }
        if (before == null && !room.take()) {
            counters.increment(QueueCounter.IPFIX_TEMPLATES_REFUSED);
            return;
        }
        templates.put(id, template);
        counters.increment(QueueCounter.IPFIX_TEMPLATES);
    }

    /** Removes a template. */
    void withdraw(int id) {
        if (templates.remove(id) != null) {
            room.giveBack(1);
        }
    }

    /** Removes all options templates or all flow templates. */
    @ColdPath
    void withdrawAll(boolean isOptions) {
        int before = templates.size();
        templates.values().removeIf(template -> template.isOptions() == isOptions);
        room.giveBack(before - templates.size());
    }

    /** Removes a template whose refresh is overdue. */
    void expire(int id) {
        withdraw(id);
        counters.increment(QueueCounter.IPFIX_TEMPLATES_EXPIRED);
    }

    /** Removes all templates; the exporter is discarded afterwards. */
    void close() {
        room.giveBack(templates.size());
        templates.clear();
    }

    /** Logs once that records arrived before their template. */
    @ColdPath
    void untold(int id) {
        if (!isUntoldLogged) {
            isUntoldLogged = true;
            LOG.info(
                    "Records of exporter {} arrived before template {}; dropping and counting records until the"
                            + " template arrives.",
                    this,
                    id);
        }
    }

    // sampling and time

    /** Records the rate of a sampler: one packet in {@code interval}. */
    void sampling(long samplerId, long interval) {
        if (interval < 1) {
            return;
        }
        if (samplers.size() < SAMPLERS_MAX || samplers.containsKey(samplerId)) {
            samplers.put(samplerId, interval);
        }
        samplingInterval = interval;
    }

    /** Returns the interval of a sampler; for number 0 or an unknown sampler, the most recently announced interval. */
    @HotPath
    long samplingInterval(long samplerId) {
        long known = samplers.get(samplerId);
        return known == UNKNOWN ? samplingInterval : known;
    }

    /** Sets the start of the exporter's clock: ms since 1970. */
    void initTime(long newInitMs) {
        initMs = newInitMs;
    }

    /** Time of the exporter's clock at a wall-clock time, in ms since the clock started; negative when unknown. */
    long uptimeMs(long atMs) {
        return initMs == UNKNOWN ? UNKNOWN : Math.max(0, atMs - initMs);
    }

    // sequence

    /**
     * Checks the sequence number of a message.
     *
     * @param sequence sequence number
     * @param lostCounter counter of the units missing before this message
     * @param nowNs time, to limit logging
     */
    void sequence(int sequence, QueueCounter lostCounter, long nowNs) {
        int ahead = sequence - nextSequence;
        if (isSequenceKnown && ahead > 0) {
            counters.add(lostCounter, ahead);
            lost += ahead;
            logLost(lostCounter, nowNs);
        } else if (isSequenceKnown && ahead < 0) {
            counters.increment(QueueCounter.IPFIX_SEQUENCE_BACKWARD);
        }
        nextSequence = sequence;
        isSequenceKnown = false; // until the message is processed
    }

    @ColdPath
    private void logLost(QueueCounter lostCounter, long nowNs) {
        if (lostLogged != 0 && nowNs - lostLoggedNs < LOG_AGAIN_NS) {
            return;
        }
        LOG.warn(
                "Lost {} {} on the network (exporter={}, total={}). Enlarge the socket buffer of the input"
                        + " (net.core.rmem_max), or export over TCP.",
                lost - lostLogged,
                lostCounter == QueueCounter.IPFIX_MESSAGES_LOST ? "messages" : "records",
                this,
                lost);
        lostLogged = lost;
        lostLoggedNs = nowNs;
    }

    /** Advances the expected sequence number after a processed message. */
    void sequenceMoved(int by) {
        nextSequence += by;
        isSequenceKnown = true;
    }

    /** Records lost on the network; for NetFlow 9, messages. */
    long lost() {
        return lost;
    }

    @Override
    public String toString() {
        String from = address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
        return from + " (version " + version + ", domain " + domain + ")";
    }
}
