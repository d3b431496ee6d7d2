package io.chimera.common.wire.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class KryoCodecTest {
    private static final int LENGTH_MAX = 4096;

    private final KryoCodec<SampleState> codec = new KryoCodec<>(SampleState.class, LENGTH_MAX);

    @Test
    void readsBackWhatItWrote() {
        SampleState read = roundTrip(filled());

        assertThat(read).usingRecursiveComparison().isEqualTo(filled());
    }

    @Test
    void readsBackFreshState() {
        assertThat(roundTrip(new SampleState())).usingRecursiveComparison().isEqualTo(new SampleState());
    }

    @Test
    void refusesToWriteMoreThanItsLimit() {
        SampleState state = new SampleState();
        state.values = new double[LENGTH_MAX];

        assertThatThrownBy(() -> codec.encode(state))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("SampleState")
                .hasMessageContaining("4096");
        assertThat(roundTrip(filled())).usingRecursiveComparison().isEqualTo(filled());
    }

    @Test
    void refusesClassThatNoFieldNames() {
        KryoCodec<Untyped> untyped = new KryoCodec<>(Untyped.class, LENGTH_MAX);
        Untyped state = new Untyped();
        state.any.add(new AtomicLong(1));

        assertThatThrownBy(() -> untyped.encode(state))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("AtomicLong");
    }

    @Test
    void refusesCircle() {
        KryoCodec<Circle> circles = new KryoCodec<>(Circle.class, LENGTH_MAX);
        Circle circle = new Circle();
        circle.next = circle;

        assertThatThrownBy(() -> circles.encode(circle)).isInstanceOf(ChimeraException.class);
    }

    @Test
    void refusesLengthBeyondTheBytesWithoutAllocating() {
        KryoCodec<SampleState.Inner[]> arrays = new KryoCodec<>(SampleState.Inner[].class, LENGTH_MAX);
        // an encoded count of 2^31 - 2 elements, without any elements
        UnsafeBuffer hostile = new UnsafeBuffer(new byte[] {-1, -1, -1, -1, 7});

        assertThatThrownBy(() -> arrays.decode(hostile, 0, 5))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("bytes remain");
    }

    @Test
    void refusesBytesBehindTheObject() {
        int length = codec.encode(filled());
        byte[] longer = new byte[length + 1];
        System.arraycopy(codec.bytes(), 0, longer, 0, length);

        assertThatThrownBy(() -> codec.decode(new UnsafeBuffer(longer), 0, length + 1))
                .isInstanceOf(ChimeraException.class);
    }

    private SampleState roundTrip(SampleState state) {
        int length = codec.encode(state);
        UnsafeBuffer bytes = new UnsafeBuffer(new byte[length + 16]);
        bytes.putBytes(16, codec.bytes(), 0, length);
        return codec.decode(bytes, 16, length);
    }

    static SampleState filled() {
        SampleState state = new SampleState();
        state.sum = 1.5;
        state.buckets = new int[] {1, -2, 3};
        state.values = new double[] {Math.PI, -0.0};
        state.longs = new long[] {Long.MIN_VALUE, 7};
        state.flags = new boolean[] {true, false};
        state.raw = new byte[] {1, 2, 3};
        state.name = "größe";
        state.names = new String[] {"a", null, "c"};
        state.inner.count = 9;
        state.inner.label = "inner";
        state.inners = new SampleState.Inner[] {new SampleState.Inner(), new SampleState.Inner()};
        state.list.addAll(List.of("x", "y"));
        state.map.put("k", 2.5);
        return state;
    }

    /** State with a field of an untyped collection. */
    static final class Untyped {
        final List<Object> any = new ArrayList<>();
    }

    /** State with a possible cycle. */
    static final class Circle {
        Circle next;
    }
}
