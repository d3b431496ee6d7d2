package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.GroupKey;
import io.chimera.processor.Records;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class OffHeapWarehouseTest extends WarehouseContract {
    OffHeapWarehouseTest() {
        super(true);
    }

    @Test
    void keepsGroupsOutsideTheHeap() {
        Warehouse warehouse = warehouse(pool(1 << 20, 10), Plugins.NONE);
        UnsafeBuffer bytes = bodyOf(Records.of("cpu", Map.of("host", "a"), Map.of("x", 1L), NS));
        BodyReader body = new BodyReader().wrap(bytes, 0, bytes.capacity());
        body.nextRecord();
        GroupKey key = GroupKey.all();
        key.of(body.seriesOfRecord());

        assertThat(warehouse.groups().buffer(warehouse.group(key)).byteArray()).isNull();
    }
}
