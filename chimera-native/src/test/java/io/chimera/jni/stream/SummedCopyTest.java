package io.chimera.jni.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class SummedCopyTest {
    private static final int BYTES = 3 << 20;

    private final SummedCopy copy = new SummedCopy();
    private final byte[] bytes = new byte[BYTES];
    private final UnsafeBuffer onHeap = new UnsafeBuffer(bytes);
    private final UnsafeBuffer offHeap = AlignedMemory.allocate(BYTES);
    private final UnsafeBuffer to = AlignedMemory.allocate(BYTES);
    private final Random random = new Random(5);

    @Test
    void copiesAndSumsUpWhateverTheMemoryAndTheLength() {
        random.nextBytes(bytes);
        offHeap.putBytes(0, bytes);
        for (int i = 0; i < 300; i++) {
            int length = random.nextInt(i < 200 ? 3000 : 1 << 20);
            int offset = random.nextInt(100);
            int at = random.nextInt(100);
            UnsafeBuffer from = random.nextBoolean() ? onHeap : offHeap;
            to.setMemory(0, length + 200, (byte) 7);
            CRC32C crc = new CRC32C();
            crc.update(bytes, offset, length);

            assertThat(copy.copy(to, at, from, offset, length)).isEqualTo((int) crc.getValue());
            assertThat(new UnsafeBuffer(to, at, length)).isEqualTo(new UnsafeBuffer(bytes, offset, length));
            assertThat(at == 0 || to.getByte(at - 1) == 7).isTrue();
            assertThat(to.getByte(at + length)).isEqualTo((byte) 7);
        }
    }

    @Test
    void refusesWhatIsOutsideOfABuffer() {
        assertThatThrownBy(() -> copy.copy(to, BYTES - 1000, offHeap, 0, 1001))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> copy.copy(to, 0, offHeap, BYTES - 1000, 1001))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
