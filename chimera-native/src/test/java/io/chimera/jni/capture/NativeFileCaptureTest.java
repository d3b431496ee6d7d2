package io.chimera.jni.capture;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;

final class NativeFileCaptureTest extends FileCaptureContract {

    @BeforeAll
    static void needsTheLibrary() {
        assumeTrue(CaptureLibrary.isLoaded(), CaptureLibrary.loadFailure());
    }

    @Override
    PacketCapture open(CaptureOptions options) {
        return new NativeCapture(options);
    }

    @Override
    boolean filters() {
        return Captures.isAvailable("libpcap");
    }
}
