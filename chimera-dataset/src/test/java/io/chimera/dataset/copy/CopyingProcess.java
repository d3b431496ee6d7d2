package io.chimera.dataset.copy;

import io.chimera.common.agent.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** Process that copies an object again and again; prints a line after the first copy. Ended by its parent. */
final class CopyingProcess {
    static final int BLOCK = 10_000;
    static final int LENGTH = 1_234_567;
    static final String TAG = "v1";

    private CopyingProcess() {}

    /** Copies into the folder of the first argument, until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        MemoryFar far = new MemoryFar(LENGTH, TAG);
        CopyLimits limits = new CopyLimits(1L << 30, Duration.ofDays(1), BLOCK);
        SystemClock clock = new SystemClock();
        try (CopyStore store = CopyStore.open(Path.of(arguments[0]), limits, clock);
                CopySource copies = new CopySource(far, "", store, clock)) {
            copies.read(far.object(), 0, ByteBuffer.allocate(LENGTH));
            System.out.println("copied");
            boolean isRepeating = arguments.length > 1;
            CopyPlace place = new CopyPlace(new CopyId("memory", "", far.object(), BLOCK).name(), 0);
            while (isRepeating && System.in.available() == 0) {
                for (int block = 0; block < LENGTH / BLOCK; block++) {
                    new CopyFile(place, store.folder(), BLOCK, CopyDisk.FILES).erase(block);
                    copies.copy(far.object(), (long) block * BLOCK);
                }
            }
            while (System.in.read() >= 0) {
                // the parent closes the stream
            }
        }
    }
}
