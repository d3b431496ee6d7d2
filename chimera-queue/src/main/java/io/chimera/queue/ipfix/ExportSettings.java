package io.chimera.queue.ipfix;

import io.chimera.common.channel.Endpoint;
import java.time.Duration;

/**
 * Where flow records are exported to, and how.
 *
 * @param transport how messages travel
 * @param collector where to
 * @param domain observation domain, which tells this exporter from others of the same machine: u32
 * @param messageBytesMax bytes of a message: what the path carries in one packet, without the headers of IP and UDP
 * @param time how exactly times are told
 * @param templatesEvery by UDP: templates are told again after so long
 * @param templatesEveryMessages by UDP: or after so many messages
 * @param messagesPerSecond by UDP: the most that is sent, evenly; 0: as fast as they come
 * @param samplingInterval one packet in so many was looked at; 1: all
 * @param queueBytes records that wait, a power of two: 136 bytes each
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

    /** A path carries 1,500 bytes, and tunnels on it take some of them. */
    private static final int DATAGRAM_BYTES = 1400;

    /** Some hundred records: few calls of the system, and a few milliseconds until a message is full. */
    private static final int SEGMENT_BYTES = 16 << 10;

    /** RFC 7011, 8.4: a collector forgets templates after half an hour; this is what others do. */
    private static final Duration TEMPLATES_EVERY = Duration.ofMinutes(1);

    private static final int TEMPLATES_EVERY_MESSAGES = 4096;

    /** 14 MB/s, and in a millisecond a tenth of what the socket buffer of a Linux machine takes by default. */
    private static final int MESSAGES_PER_SECOND = 10_000;

    /** 61,000 records: a third of a second at the rate above. */
    private static final int QUEUE_BYTES = 8 << 20;

    /** Room for the headers and the largest template, or a record of it. */
    private static final int MESSAGE_BYTES_MIN = 512;

    private static final int MESSAGE_BYTES_MAX = 0xFFFF;
    private static final int QUEUE_BYTES_MIN = 64 << 10;
    private static final int QUEUE_BYTES_MAX = 1 << 30;
    private static final long U32_MAX = 0xFFFF_FFFFL;

    /** How messages travel. */
    public enum Transport {
        /** Nobody hears what is lost, but for the collector, who sees gaps. */
        UDP,
        /** What the collector does not take waits. */
        TCP
    }

    /** Checks the values. */
    public ExportSettings {
        check(domain >= 0 && domain <= U32_MAX, "An observation domain is a number of 32 bits.");
        check(
                messageBytesMax >= MESSAGE_BYTES_MIN && messageBytesMax <= MESSAGE_BYTES_MAX,
                "A message of IPFIX has 512 to 65535 bytes.");
        check(!templatesEvery.isNegative() && !templatesEvery.isZero(), "Templates are told again after some time.");
        check(templatesEveryMessages > 0, "Templates are told again after some messages.");
        check(messagesPerSecond >= 0, "The messages of a second are 0 (no bound) or more.");
        check(samplingInterval > 0, "One packet in 1 or more is looked at.");
        check(
                queueBytes >= QUEUE_BYTES_MIN && queueBytes <= QUEUE_BYTES_MAX && Integer.bitCount(queueBytes) == 1,
                "The queue has 64 KiB to 1 GiB, a power of two.");
    }

    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /**
     * The usual settings for a collector.
     *
     * @param target {@code ipfix:udp://host:port} or {@code ipfix:tcp://host:port}
     * @throws IllegalArgumentException when it has not this form; says what is expected
     */
    public static ExportSettings of(String target) {
        String address = target.startsWith(PREFIX) ? target.substring(PREFIX.length()) : "";
        boolean isTcp = address.startsWith("tcp://");
        if (!isTcp && !address.startsWith("udp://")) {
            throw new IllegalArgumentException(
                    "'" + target + "' is no collector; write ipfix:udp://host:port or ipfix:tcp://host:port.");
        }
        Endpoint collector = Endpoint.parse(address.substring("udp://".length()));
        check(collector.port() > 0, "'" + target + "' has no port; collectors of IPFIX listen on 4739.");
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
