package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/** Bytes of a capture, visible through a window. Positions count from the beginning of the capture. One thread. */
interface CaptureBytes {
    /** Name of the capture, for messages. */
    String name();

    /** Length of the capture in bytes; {@link Long#MAX_VALUE} while unknown. */
    @HotPath
    long size();

    /** Returns the window; {@link #index} converts positions. */
    @HotPath
    UnsafeBuffer window();

    /** Index of a position in the window. */
    @HotPath
    int index(long position);

    /** Whether bytes are in the window. */
    @HotPath
    boolean holds(long position, int bytes);

    /** Moves the start of the window to a position. */
    void moveTo(long position);
}
