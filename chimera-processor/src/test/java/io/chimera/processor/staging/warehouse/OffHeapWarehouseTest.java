package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.Records;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OffHeapWarehouseTest extends WarehouseContract {
    @Override
    ChunkPool pool(long bytesMax, int groupsMax) {
        return new ChunkPool(true, bytesMax, groupsMax);
    }

    @Override
    Warehouse warehouse(ChunkPool pool, Plugins plugins) {
        return new OffHeapWarehouse(pool, plugins);
    }

    @Test
    void keepsGroupsOutsideTheHeap() {
        Warehouse warehouse = warehouse(pool(1 << 20, 10), Plugins.NONE);
        RecordFlyweight record = Records.of("cpu", Map.of("host", "a"), Map.of("x", 1L), NS);
        GroupKey key = GroupKey.all();
        key.of(record);
        warehouse.fold(record, key);

        assertThat(warehouse.buffer(warehouse.firstGroup()).byteArray()).isNull();
    }
}
