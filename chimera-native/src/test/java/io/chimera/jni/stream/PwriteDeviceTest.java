package io.chimera.jni.stream;

final class PwriteDeviceTest extends NativeDeviceContract {

    @Override
    Mechanism mechanism() {
        return Mechanism.PWRITE;
    }
}
