package io.chimera.common.wire.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import java.util.Collection;
import java.util.Map;

/** Serializers that check declared lengths against the remaining bytes; see {@link BoundedInput}. */
final class BoundedSerializers {
    private BoundedSerializers() {}

    /** Serializer of collections that checks the element count before the allocation. */
    static final class OfCollection<T extends Collection<?>> extends CollectionSerializer<T> {
        @Override
        protected T create(Kryo kryo, Input input, Class<? extends T> type, int size) {
            ((BoundedInput) input).checked(size);
            return super.create(kryo, input, type, size);
        }
    }

    /** Serializer of maps that checks the entry count before the allocation. */
    static final class OfMap<T extends Map<?, ?>> extends MapSerializer<T> {
        @Override
        protected T create(Kryo kryo, Input input, Class<? extends T> type, int size) {
            ((BoundedInput) input).checked(size);
            return super.create(kryo, input, type, size);
        }
    }

    /** Serializer of object arrays that checks the element count and delegates to the serializer of Kryo. */
    static final class OfArray<T> extends Serializer<T> {
        private final Serializer<T> inner;

        OfArray(Serializer<T> inner) {
            super(true);
            this.inner = inner;
        }

        @Override
        public void write(Kryo kryo, Output output, T array) {
            inner.write(kryo, output, array);
        }

        @Override
        public T read(Kryo kryo, Input input, Class<? extends T> type) {
            ((BoundedInput) input).checkCountAhead();
            return inner.read(kryo, input, type);
        }
    }
}
