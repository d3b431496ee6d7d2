package io.chimera.jni.capture;

import io.chimera.api.HotPath;

/**
 * Source of packets from a file, interface or port, in batches. A capture reports location, length and time of each
 * packet and makes no decisions about packets.
 *
 * <p>Used by one thread at a time, from {@link Captures#open} to {@link #close}. Allocates nothing after opening
 * (except that the Java back-end for files maps a file by the gigabyte).
 */
public interface PacketCapture extends AutoCloseable {

    /** Result of {@link #receive} at the end of a file. */
    int END = -1000;

    /**
     * Fills the batch. Implicitly releases the previous packets, so that no call of {@link #release} is needed.
     *
     * @param batch receives the packets; addresses are valid until {@link #release}, the next call of this method, or
     *     {@link #close}
     * @param timeoutMs maximum wait for the first packet, in milliseconds; 0 does not wait
     * @return the size of the batch; 0 after the timeout; {@link #END} at the end of a file
     * @throws CaptureException when the source failed. Packets received earlier stay counted. A damaged file fails
     *     again at the same position; an interface can be read again after its return
     */
    @HotPath
    int receive(PacketBatch batch, int timeoutMs);

    /** Returns the memory of the last batch to the source. Repeated calls have no effect. */
    @HotPath
    void release();

    /** Writes the counters since the opening of the capture. */
    void counters(CaptureCounters into);

    /** Returns the link type of the frames, numbered as in capture files (LINKTYPE_…: 1 Ethernet, 101 IP). */
    int linkType();

    /** Frees all memory, including received packets. Repeated calls have no effect. */
    @Override
    void close();
}
