package io.chimera.jni.stream;

/** Devices by pwrite. */
final class PwriteDeviceTest extends NativeDeviceContract {

    @Override
    Mechanism mechanism() {
        return Mechanism.PWRITE;
    }
}
