package io.chimera.jni.stream;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Process with writes in flight until killed. */
final class KilledWriter {
    static final int BLOCKS = 8;
    static final String WRITING = "writing";

    private static final int BLOCK_BYTES = 1 << 20;

    private KilledWriter() {}

    static Process start(String target) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), KilledWriter.class.getName(), target));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Writes to the named device, and waits. */
    public static void main(String[] arguments) throws IOException {
        var memory = AlignedMemory.allocate(BLOCKS * BLOCK_BYTES);
        DeviceOptions options = DeviceOptions.existing().withMechanism(Mechanism.IO_URING);
        try (BlockDevice device = BlockDevices.open(arguments[0], options.withDepth(BLOCKS))) {
            for (int block = 0; block < BLOCKS; block++) {
                BlockDeviceContract.fill(memory, block * BLOCK_BYTES, BLOCK_BYTES, block);
                long address = memory.addressOffset() + (long) block * BLOCK_BYTES;
                if (!device.write((long) block * BLOCK_BYTES, address, BLOCK_BYTES, block)) {
                    throw new IllegalStateException("Write " + block + " was not taken.");
                }
            }
            System.out.println(WRITING);
            System.in.read();
        }
    }
}
