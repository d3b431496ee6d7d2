package io.chimera.processor.staging.warehouse;

final class OffHeapWarehouseMemoryTest extends WarehouseMemoryContract {
    OffHeapWarehouseMemoryTest() {
        super(true);
    }
}
