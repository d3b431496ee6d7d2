package io.chimera.processor.staging.warehouse;

final class OnHeapWarehouseTest extends WarehouseContract {
    OnHeapWarehouseTest() {
        super(false);
    }
}
