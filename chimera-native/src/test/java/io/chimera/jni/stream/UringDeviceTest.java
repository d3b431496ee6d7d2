package io.chimera.jni.stream;

final class UringDeviceTest extends NativeDeviceContract {

    @Override
    Mechanism mechanism() {
        return Mechanism.IO_URING;
    }
}
