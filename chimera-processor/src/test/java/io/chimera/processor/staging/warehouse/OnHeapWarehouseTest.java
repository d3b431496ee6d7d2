package io.chimera.processor.staging.warehouse;

final class OnHeapWarehouseTest extends WarehouseContract {
    @Override
    ChunkPool pool(long bytesMax, int groupsMax) {
        return new ChunkPool(false, bytesMax, groupsMax);
    }

    @Override
    Warehouse warehouse(ChunkPool pool, Plugins plugins, Sketches sketches) {
        return new OnHeapWarehouse(pool, plugins, sketches);
    }
}
