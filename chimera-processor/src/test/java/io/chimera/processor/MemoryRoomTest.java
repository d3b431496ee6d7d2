package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.ProcessorConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.processor.extractor.Extractor;
import org.junit.jupiter.api.Test;

final class MemoryRoomTest {
    private static final long MIB = 1 << 20;

    private final MemoryRoom room = new MemoryRoom(256 * MIB, 128 * MIB);

    private static ProcessorConfig config(ProcessorConfig.Warehouse where, Long mebibytes) {
        return Sections.of(
                ProcessorConfig.class,
                "warehouse",
                where,
                "max_bytes",
                mebibytes == null ? null : ByteSize.ofMebibytes(mebibytes),
                "ring_slots",
                32);
    }

    @Test
    void takesWhatFits() {
        assertThat(room.stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, 192L)))
                .isEqualTo(192 * MIB);
        assertThat(room.stagingBytes(config(ProcessorConfig.Warehouse.OFF_HEAP, 71L)))
                .isEqualTo(71 * MIB);
    }

    @Test
    void takesWhatThereIsWhereNothingIsConfiguredAndOneGibibyteAtMost() {
        assertThat(room.stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, null)))
                .isEqualTo(192 * MIB);
        assertThat(room.stagingBytes(config(ProcessorConfig.Warehouse.OFF_HEAP, null)))
                .isEqualTo(96 * MIB - 32L * Extractor.SLOT_LENGTH);
        assertThat(new MemoryRoom(8192 * MIB, 0).stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, null)))
                .isEqualTo(1024 * MIB);
    }

    @Test
    void refusesMoreThanTheHeapAndSaysWhatToDo() {
        assertThatThrownBy(() -> room.stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, 1024L)))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("processor.max_bytes is 1024MiB, but staging may have 192MiB: three quarters of the 256MiB"
                        + " heap of this JVM. Start the node with -Xmx1366m, or set a smaller processor.max_bytes,"
                        + " or processor.warehouse: off_heap.");
    }

    @Test
    void refusesMoreThanTheDirectMemoryAndSaysWhatToDo() {
        assertThatThrownBy(() -> room.stagingBytes(config(ProcessorConfig.Warehouse.OFF_HEAP, 73L)))
                .isInstanceOf(ChimeraException.class)
                .hasMessage("processor.max_bytes is 73MiB, but staging may have 71MiB: three quarters of the 128MiB of"
                        + " direct memory of this JVM, without the 24MiB of processor.ring_slots. Start the node"
                        + " with -XX:MaxDirectMemorySize=130m, or set a smaller processor.max_bytes, or"
                        + " processor.warehouse: on_heap.");
    }

    @Test
    void followingTheAdviceHelps() {
        assertThat(new MemoryRoom(1366 * MIB, 0).stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, 1024L)))
                .isEqualTo(1024 * MIB);
        assertThat(new MemoryRoom(0, 130 * MIB).stagingBytes(config(ProcessorConfig.Warehouse.OFF_HEAP, 73L)))
                .isEqualTo(73 * MIB);
    }

    @Test
    void refusesAJvmThatIsTooSmallForAnything() {
        assertThatThrownBy(
                        () -> new MemoryRoom(16 * MIB, 0).stagingBytes(config(ProcessorConfig.Warehouse.ON_HEAP, null)))
                .hasMessageContaining("processor.max_bytes is 16MiB, but staging may have 12MiB");
    }

    @Test
    void seesWhatThisJvmMayHave() {
        MemoryRoom ours = MemoryRoom.ofThisJvm();

        assertThat(ours.heapBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
        assertThat(ours.directBytes()).isPositive();
    }
}
