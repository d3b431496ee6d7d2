package io.chimera.processor.staging.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.Records;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Rehearsals of records on a heap warehouse with an aggregator plugin. */
final class RehearsalTest extends WarehouseRig {
    /** Sum of the values; throws when the sum reaches 1000. */
    private static final class Limited implements Aggregator<Limited.Sum> {
        /** State. */
        static final class Sum {
            private double sum;
        }

        @Override
        public String name() {
            return "limited";
        }

        @Override
        public Sum create() {
            return new Sum();
        }

        @Override
        public void fold(Sum state, double value, long timeNs) {
            state.sum += value;
            if (state.sum >= 1000) {
                throw new IllegalStateException("limit");
            }
        }

        @Override
        public void merge(Sum into, Sum from) {
            into.sum += from.sum;
        }

        @Override
        public double result(Sum state) {
            return state.sum;
        }
    }

    private final Plugins plugins = new Plugins(List.of(new Limited()), List.of(new Limited()));
    private final Warehouse warehouse = warehouse(pool, plugins);

    RehearsalTest() {
        super(false);
    }

    @Test
    void rehearsesAndFoldsWithoutAllocating() {
        UnsafeBuffer record = record(Map.of("x", 0.0, "y", 0.0, "text", "t"));
        rehearseAndFold(record);
        rehearseAndFold(record);

        assertThat(AllocatedBytes.of(() -> rehearseAndFold(record))).isZero();
    }

    @Test
    void aRejectedRecordLeavesTheStatesUnchanged() {
        rehearseAndFold(record(Map.of("x", 400.0, "y", 1.0)));
        rehearseAndFold(record(Map.of("x", 400.0, "y", 1.0)));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> rehearseAndFold(record(Map.of("x", 400.0, "y", 998.0))))
                    .hasMessage("limit");
        }
        rehearseAndFold(record(Map.of("x", 100.0, "y", 990.0)));

        assertThat(sumOf("x")).isEqualTo(900);
        assertThat(sumOf("y")).isEqualTo(992);
    }

    @Test
    void aStateSeesNumbersThatWereNotRehearsed() {
        rehearseAndFold(record(Map.of("x", 100.0)));
        rehearseAndFold(record(Map.of("x", 100.0)));
        fold(warehouse, all, record(Map.of("x", 700.0)));

        assertThatThrownBy(() -> rehearseAndFold(record(Map.of("x", 100.0)))).hasMessage("limit");
        assertThat(sumOf("x")).isEqualTo(900);
    }

    @Test
    void aRecordWithANewFieldLeavesTheTwinsOfOtherFieldsInStep() {
        rehearseAndFold(record(Map.of("x", 400.0)));
        rehearseAndFold(record(Map.of("x", 100.0)));
        rehearseAndFold(record(Map.of("x", 400.0, "new", 1.0)));

        assertThatThrownBy(() -> rehearseAndFold(record(Map.of("x", 100.0)))).hasMessage("limit");
        assertThat(sumOf("x")).isEqualTo(900);
    }

    @Test
    void rehearsalsTakeNoRoomFromTheData() {
        rehearseAndFold(record(Map.of("x", 400.0)));
        long used = pool.bytesUsed();
        rehearseAndFold(record(Map.of("x", 100.0)));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> rehearseAndFold(record(Map.of("x", 500.0))))
                    .hasMessage("limit");
        }

        assertThat(pool.bytesUsed()).isEqualTo(used);
    }

    @Test
    void aRecordThatWasRehearsedOnlyDoesNotCount() {
        rehearseAndFold(record(Map.of("x", 400.0)));
        rehearse(record(Map.of("x", 500.0)));
        rehearse(record(Map.of("x", 500.0)));
        rehearseAndFold(record(Map.of("x", 500.0)));

        assertThat(sumOf("x")).isEqualTo(900);
    }

    @Test
    void clearsTheMemoryOfTwins() {
        rehearseAndFold(record(Map.of("x", 1.0)));
        rehearseAndFold(record(Map.of("x", 1.0)));

        warehouse.clear();
        assertThat(pool.bytesUsed()).isZero();
    }

    private static UnsafeBuffer record(Map<String, ?> fields) {
        return bodyOf(Records.of("cpu", Map.of("host", "a"), fields, NS));
    }

    private void rehearse(UnsafeBuffer bytes) {
        warehouse.forget();
        body.wrap(bytes, 0, bytes.capacity());
        while (body.nextRecord()) {
            all.of(body.seriesOfRecord());
            int group = warehouse.groups().find(all.hash(), all.buffer(), all.offset(), all.length());
            int fields = warehouse.definitions().keep(body.fieldsOfRecord());
            RecordFlyweight record = body.record();
            warehouse.rehearse(group, fields, record);
        }
    }

    private void rehearseAndFold(UnsafeBuffer bytes) {
        rehearse(bytes);
        fold(warehouse, all, bytes);
    }

    private double sumOf(String field) {
        MergedGroups groups = new MergedGroups(List.of(warehouse), plugins);
        assertThat(groups.nextGroup()).isTrue();
        while (groups.nextField()) {
            if (groups.field().equals(field)) {
                return groups.plugin(0);
            }
        }
        throw new AssertionError("no field " + field);
    }
}
