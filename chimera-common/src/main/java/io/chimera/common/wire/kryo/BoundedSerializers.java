package io.chimera.common.wire.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import java.util.Collection;
import java.util.Map;

/** Serializers of what has a length, made to check it against the bytes that are left; see {@link BoundedInput}. */
final class BoundedSerializers {
    private BoundedSerializers() {}

    /** A collection that is created without room for elements that have not come. */
    static final class OfCollection<T extends Collection<?>> extends CollectionSerializer<T> {
        @Override
        protected T create(Kryo kryo, Input input, Class<? extends T> type, int size) {
            ((BoundedInput) input).checked(size);
            return super.create(kryo, input, type, size);
        }
    }

    /** A map that is created without room for entries that have not come. */
    static final class OfMap<T extends Map<?, ?>> extends MapSerializer<T> {
        @Override
        protected T create(Kryo kryo, Input input, Class<? extends T> type, int size) {
            ((BoundedInput) input).checked(size);
            return super.create(kryo, input, type, size);
        }
    }

    /** An array of objects, by the serializer that Kryo has for it. */
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
