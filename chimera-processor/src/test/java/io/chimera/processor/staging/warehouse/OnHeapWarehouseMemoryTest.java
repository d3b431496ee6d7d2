package io.chimera.processor.staging.warehouse;

final class OnHeapWarehouseMemoryTest extends WarehouseMemoryContract {
    OnHeapWarehouseMemoryTest() {
        super(false);
    }
}
