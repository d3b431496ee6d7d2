package io.chimera.jni.capture;

import io.chimera.api.HotPath;

/**
 * Packets from one file, interface or port, in batches. A capture decides nothing about packets: it hands out where they
 * lie, how long they are and when they came.
 *
 * <p>One thread uses a capture at a time, from {@link Captures#open} to {@link #close}. Nothing is allocated after it was
 * opened (the back-end for files in Java maps a file by the gigabyte).
 */
public interface PacketCapture extends AutoCloseable {

    /** What {@link #receive} returns when a file has no more packets. */
    int END = -1000;

    /**
     * Fills the batch. What it held before is given back first, so that there is no need to call {@link #release}.
     *
     * @param batch whose addresses are valid until {@link #release}, the next call of this method, or {@link #close}
     * @param timeoutMs how long to wait for the first packet, in milliseconds; 0 does not wait
     * @return the size of the batch; 0 when no packet came in time; {@link #END} when the file has no more
     * @throws CaptureException when the source failed. What was received before stays counted; a file that is damaged
     *     fails at the same place again, an interface that came back can be read on
     */
    @HotPath
    int receive(PacketBatch batch, int timeoutMs);

    /** Gives the memory of the last batch back to the source. Doing it twice does nothing. */
    @HotPath
    void release();

    /** Writes what was counted since the capture was opened. */
    void counters(CaptureCounters into);

    /** What frames begin with, as capture files number it (LINKTYPE_…: 1 Ethernet, 101 IP). */
    int linkType();

    /** Frees everything, what was handed out included. Doing it twice does nothing. */
    @Override
    void close();
}
