package io.chimera.jni.stream;

/** Devices by io_uring. */
final class UringDeviceTest extends NativeDeviceContract {

    @Override
    Mechanism mechanism() {
        return Mechanism.IO_URING;
    }
}
