package io.chimera.flow.ipfix.exporter;

import io.chimera.common.channel.Endpoint;
import java.time.Duration;

/**
 * Settings of the export of flow records.
 *
 * @param transport transport protocol
 * @param collector address of the collector
 * @param domain observation domain; distinguishes this exporter from other exporters on the same machine: u32
 * @param messageBytesMax maximum bytes of a message: the packet size of the path, without IP and UDP headers
 * @param time precision of flow times
 * @param templatesEvery UDP only: interval after which templates are sent again
 * @param templatesEveryMessages UDP only: number of messages after which templates are sent again
 * @param messagesPerSecond UDP only: maximum rate, evenly paced; 0: unlimited
 * @param samplingInterval sampling interval n (one packet in n was sampled); 1: all packets
 * @param queueBytes size of the queue of waiting records, a power of two: 136 bytes per record
 */
public record ExportSettings(
        Transport transport,
        Endpoint collector,
        long domain,
        int messageBytesMax,
        ExportTime time,
        Duration templatesEvery,
        int templatesEveryMessages,
        int messagesPerSecond,
        int samplingInterval,
        int queueBytes) {
    private static final String PREFIX = "ipfix:";

    /** Default message size for UDP: the usual path carries 1,500 bytes, minus room for tunnel headers. */
    private static final int DATAGRAM_BYTES = 1400;

    /**
     * Default message size for TCP: about a hundred records, so few system calls, and a message is full within
     * milliseconds.
     */
    private static final int SEGMENT_BYTES = 16 << 10;

    /** Default interval of most exporters. By RFC 7011, 8.4, a collector drops a template after half an hour. */
    private static final Duration TEMPLATES_EVERY = Duration.ofMinutes(1);

    private static final int TEMPLATES_EVERY_MESSAGES = 4096;

    /** 14 MB/s; within a millisecond, a tenth of the default socket buffer of a Linux machine. */
    private static final int MESSAGES_PER_SECOND = 10_000;

    /** 61,000 records: a third of a second at the rate above. */
    private static final int QUEUE_BYTES = 8 << 20;

    /** Room for the headers and the largest template, or a record of this template. */
    private static final int MESSAGE_BYTES_MIN = 512;

    private static final int MESSAGE_BYTES_MAX = 0xFFFF;
    private static final int QUEUE_BYTES_MIN = 64 << 10;
    private static final int QUEUE_BYTES_MAX = 1 << 30;
    private static final long U32_MAX = 0xFFFF_FFFFL;

    /** Transport protocol of the messages. */
    public enum Transport {
        /** The exporter does not learn of lost messages; only the collector sees gaps in the sequence. */
        UDP,
        /** Records wait when the collector does not read. */
        TCP
    }

    /** Validates the values. */
    public ExportSettings {
        check(domain >= 0 && domain <= U32_MAX, "The observation domain must be an unsigned 32-bit number.");
        check(
                messageBytesMax >= MESSAGE_BYTES_MIN && messageBytesMax <= MESSAGE_BYTES_MAX,
                "The maximum message size must be 512 to 65535 bytes.");
        check(
                !templatesEvery.isNegative() && !templatesEvery.isZero(),
                "The interval between templates must be positive.");
        check(templatesEveryMessages > 0, "The number of messages between templates must be positive.");
        check(messagesPerSecond >= 0, "The message rate must be 0 (unlimited) or more.");
        check(samplingInterval > 0, "The sampling interval must be at least 1.");
        check(
                queueBytes >= QUEUE_BYTES_MIN && queueBytes <= QUEUE_BYTES_MAX && Integer.bitCount(queueBytes) == 1,
                "The queue size must be a power of two from 64 KiB to 1 GiB.");
    }

    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /**
     * Returns the default settings for a collector.
     *
     * @param target {@code ipfix:udp://host:port} or {@code ipfix:tcp://host:port}
     * @throws IllegalArgumentException when the target has another form; the message names the expected form
     */
    public static ExportSettings of(String target) {
        String address = target.startsWith(PREFIX) ? target.substring(PREFIX.length()) : "";
        boolean isTcp = address.startsWith("tcp://");
        if (!isTcp && !address.startsWith("udp://")) {
            throw new IllegalArgumentException(
                    "'" + target + "' is not a collector; use ipfix:udp://host:port or ipfix:tcp://host:port.");
        }
        Endpoint collector = Endpoint.parse(address.substring("udp://".length()));
        check(collector.port() > 0, "'" + target + "' has no port; the standard port of IPFIX is 4739.");
        return new ExportSettings(
                isTcp ? Transport.TCP : Transport.UDP,
                collector,
                1,
                isTcp ? SEGMENT_BYTES : DATAGRAM_BYTES,
                ExportTime.MILLISECONDS,
                TEMPLATES_EVERY,
                TEMPLATES_EVERY_MESSAGES,
                MESSAGES_PER_SECOND,
                1,
                QUEUE_BYTES);
    }
}
