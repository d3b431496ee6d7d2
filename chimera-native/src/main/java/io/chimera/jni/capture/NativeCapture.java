package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeText;
import java.lang.ref.Reference;
import org.agrona.concurrent.UnsafeBuffer;

/** Capture by the native library; converts every {@code -errno} of the library to an exception. */
final class NativeCapture implements PacketCapture {

    private static final int PROMISCUOUS = 1;
    private static final int ZERO_COPY = 2;
    private static final int BUSY_POLL = 4;

    private final String source;
    private long handle;

    NativeCapture(CaptureOptions options) {
        source = options.backEnd() + ":" + options.target();
        UnsafeBuffer target = NativeText.of(options.target());
        UnsafeBuffer filter = NativeText.of(options.filter());
        UnsafeBuffer error = NativeText.allocate(NativeText.SENTENCE_BYTES);
        try {
            handle = CaptureLibrary.open(
                    CaptureLibrary.backEndNumber(options.backEnd()),
                    target.addressOffset(),
                    options.filter().isEmpty() ? 0 : filter.addressOffset(),
                    options.snapLength(),
                    options.ringBytes(),
                    options.queue(),
                    options.queues(),
                    flags(options),
                    options.speed(),
                    error.addressOffset(),
                    NativeText.SENTENCE_BYTES);
            if (handle < 0) {
                throw new CaptureException(NativeText.at(error.addressOffset()), (int) -handle);
            }
        } finally {
            Reference.reachabilityFence(target);
            Reference.reachabilityFence(filter);
            Reference.reachabilityFence(error);
        }
    }

    private static int flags(CaptureOptions options) {
        return (options.promiscuous() ? PROMISCUOUS : 0)
                | (options.zeroCopy() ? ZERO_COPY : 0)
                | (options.busyPoll() ? BUSY_POLL : 0);
    }

    @Override
    @HotPath
    public int receive(PacketBatch batch, int timeoutMs) {
        batch.clear();
        int result = CaptureLibrary.receive(openHandle(), batch.memoryAddress(), batch.capacity(), timeoutMs);
        if (result > 0) {
            batch.filled(result);
        } else if (result < 0 && result != END) {
            throw failure(result);
        }
        return result;
    }

    @Override
    @HotPath
    public void release() {
        check(CaptureLibrary.release(openHandle()));
    }

    @Override
    public void counters(CaptureCounters into) {
        check(CaptureLibrary.counters(openHandle(), into.memoryAddress()));
    }

    @Override
    public int linkType() {
        return check(CaptureLibrary.linkType(openHandle()));
    }

    @Override
    public void close() {
        if (handle != 0) {
            CaptureLibrary.close(handle);
            handle = 0;
        }
    }

    /** Returns the handle; a closed handle must not reach C. */
    private long openHandle() {
        if (handle == 0) {
            throw new IllegalStateException(source + " is closed.");
        }
        return handle;
    }

    private int check(int result) {
        if (result < 0) {
            throw failure(result);
        }
        return result;
    }

    private CaptureException failure(int result) {
        long sentence = CaptureLibrary.failure(handle);
        String cause = sentence == 0 ? "" : NativeText.at(sentence);
        return new CaptureException(cause.isEmpty() ? source + " failed with error " + -result + "." : cause, -result);
    }
}
