package io.chimera.jni.stream;

final class FileDeviceTest extends BlockDeviceContract {

    @Override
    BlockDevice open(String target, DeviceOptions options) {
        return BlockDevices.open(target, options.withMechanism(Mechanism.JAVA));
    }
}
