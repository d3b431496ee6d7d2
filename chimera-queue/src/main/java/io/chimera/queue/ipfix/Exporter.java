package io.chimera.queue.ipfix;

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
 * What is known of one exporter, which is an observation domain at an address: its templates, its samplers, and which message comes
 * next. One thread.
 */
final class Exporter {
    /** Samplers of one exporter whose rate is kept. */
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
     * An exporter that was not heard of before.
     *
     * @param address where it sends from; null where that is not known
     * @param version of its messages
     * @param domain observation domain, source or engine
     * @param room for its templates
     * @param counters the node's
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

    /** Its IP address as text. */
    byte[] host() {
        return host;
    }

    /** Observation domain, source or engine. */
    long domain() {
        return domain;
    }

    /** Remembers that it was heard of. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /** When it was heard of last. */
    long heardNs() {
        return heardNs;
    }

    // templates

    /** The template of a number; null when none was told. */
    @HotPath
    Template template(int id) {
        return templates.get(id);
    }

    /** Takes a template, in the place of the one that had its number, or refuses it. */
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

    /** Forgets a template. */
    void withdraw(int id) {
        if (templates.remove(id) != null) {
            room.giveBack(1);
        }
    }

    /** Forgets all templates that tell of flows, or all that tell of the exporter. */
    void withdrawAll(boolean isOptions) {
        int before = templates.size();
        templates.values().removeIf(template -> template.isOptions() == isOptions);
        room.giveBack(before - templates.size());
    }

    /** Forgets a template that was not told for too long. */
    void expire(int id) {
        withdraw(id);
        counters.increment(QueueCounter.IPFIX_TEMPLATES_EXPIRED);
    }

    /** Forgets all templates: nothing more is heard of it. */
    void close() {
        room.giveBack(templates.size());
        templates.clear();
    }

    /** Says once that records wait for a template. */
    void untold(int id) {
        if (!isUntoldLogged) {
            isUntoldLogged = true;
            LOG.info(
                    "Exporter {} sends records ahead of their template {}; they are counted and dropped until it comes.",
                    this,
                    id);
        }
    }

    // sampling and time

    /** Takes what it tells of a sampler: one packet in so many. */
    void sampling(long samplerId, long interval) {
        if (interval < 1) {
            return;
        }
        if (samplers.size() < SAMPLERS_MAX || samplers.containsKey(samplerId)) {
            samplers.put(samplerId, interval);
        }
        samplingInterval = interval;
    }

    /** One packet in so many went through a sampler; of number 0 or one that is not known, through the one told of last. */
    @HotPath
    long samplingInterval(long samplerId) {
        long known = samplers.get(samplerId);
        return known == UNKNOWN ? samplingInterval : known;
    }

    /** Takes the time at which its clock began: ms since 1970. */
    void initTime(long newInitMs) {
        initMs = newInitMs;
    }

    /** Its clock at a time, ms since it began; negative when that is not known. */
    long uptimeMs(long atMs) {
        return initMs == UNKNOWN ? UNKNOWN : Math.max(0, atMs - initMs);
    }

    // sequence

    /**
     * Looks at the number of a message.
     *
     * @param sequence its number
     * @param lostCounter counts what is missing ahead of it
     * @param nowNs time, for the log
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
        isSequenceKnown = false; // until the message is done with
    }

    private void logLost(QueueCounter lostCounter, long nowNs) {
        if (lostLogged != 0 && nowNs - lostLoggedNs < LOG_AGAIN_NS) {
            return;
        }
        LOG.warn(
                "{} {} of exporter {} were lost on their way, {} so far. Give the input a larger socket buffer"
                        + " (net.core.rmem_max), or the exporter a TCP connection.",
                lost - lostLogged,
                lostCounter == QueueCounter.IPFIX_MESSAGES_LOST ? "Messages" : "Records",
                this,
                lost);
        lostLogged = lost;
        lostLoggedNs = nowNs;
    }

    /** A message is done with: the next one has a number that is higher by so much. */
    void sequenceMoved(int by) {
        nextSequence += by;
        isSequenceKnown = true;
    }

    /** Records or, of NetFlow 9, messages that were lost on their way. */
    long lost() {
        return lost;
    }

    @Override
    public String toString() {
        String from = address == null ? "unknown" : address.getAddress().getHostAddress() + ":" + address.getPort();
        return from + " (version " + version + ", domain " + domain + ")";
    }
}
