package io.chimera.common.wire.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.BooleanArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ByteArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.CharArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.DoubleArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.FloatArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.IntArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.LongArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ObjectArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ShortArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.StringArraySerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import io.chimera.common.error.ChimeraException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * Objects of one class as bytes and back, by Kryo with registration required: only that class, the classes its fields
 * name, primitives and their arrays, strings, and the usual collections of the JDK are ever written or made. Both ways are
 * bounded. One thread.
 *
 * @param <T> the class
 */
public final class KryoCodec<T> {
    /** Objects within objects; beyond it an object graph is a circle or broken. */
    private static final int DEPTH_MAX = 32;

    private final Class<T> type;
    private final int lengthMax;
    private final Kryo kryo = new Kryo();
    private final Output output;
    private final BoundedInput input = new BoundedInput();
    private byte[] scratch = new byte[256];

    /**
     * A codec.
     *
     * @param type class of the objects; has a constructor without arguments
     * @param lengthMax the most bytes one object may take
     */
    public KryoCodec(Class<T> type, int lengthMax) {
        this.type = type;
        this.lengthMax = lengthMax;
        output = new Output(Math.min(256, lengthMax), lengthMax);
        kryo.setRegistrationRequired(true);
        kryo.setReferences(false);
        kryo.setMaxDepth(DEPTH_MAX);
        kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy());
        registerCollections();
        register(type, new HashSet<>());
    }

    private void registerCollections() {
        registerArray(boolean[].class, new BooleanArraySerializer());
        registerArray(byte[].class, new ByteArraySerializer());
        registerArray(char[].class, new CharArraySerializer());
        registerArray(short[].class, new ShortArraySerializer());
        registerArray(int[].class, new IntArraySerializer());
        registerArray(long[].class, new LongArraySerializer());
        registerArray(float[].class, new FloatArraySerializer());
        registerArray(double[].class, new DoubleArraySerializer());
        registerArray(String[].class, new StringArraySerializer());
        kryo.register(ArrayList.class, new BoundedSerializers.OfCollection<ArrayList<?>>());
        kryo.register(ArrayDeque.class, new BoundedSerializers.OfCollection<ArrayDeque<?>>());
        kryo.register(HashSet.class, new BoundedSerializers.OfCollection<HashSet<?>>());
        kryo.register(LinkedHashSet.class, new BoundedSerializers.OfCollection<LinkedHashSet<?>>());
        kryo.register(HashMap.class, new BoundedSerializers.OfMap<HashMap<?, ?>>());
        kryo.register(LinkedHashMap.class, new BoundedSerializers.OfMap<LinkedHashMap<?, ?>>());
    }

    private <A> void registerArray(Class<?> array, Serializer<A> serializer) {
        kryo.register(array, new BoundedSerializers.OfArray<>(serializer));
    }

    /** Registers a class and those that its fields name. Classes of the JDK are registered above, or refused later. */
    private void register(Class<?> found, Set<Class<?>> seen) {
        Class<?> element = found;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element.isPrimitive() || element.isInterface() || isOfJdk(element) || !seen.add(found)) {
            return;
        }
        if (found.isArray()) {
            register(found.getComponentType(), seen);
            registerArray(found, new ObjectArraySerializer(kryo, found));
            return;
        }
        kryo.register(found);
        for (Class<?> level = found; level != Object.class && level != null; level = level.getSuperclass()) {
            for (Field field : level.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
                    register(field.getType(), seen);
                }
            }
        }
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getClassLoader() == null;
    }

    /**
     * Writes an object into {@link #bytes()}.
     *
     * @param object the object
     * @return number of bytes, at most the limit
     * @throws ChimeraException when it takes more, or holds an object of a class that is not registered
     */
    public int encode(T object) {
        output.reset();
        try {
            kryo.writeObject(output, object);
        } catch (KryoException | IllegalArgumentException e) {
            throw new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "An object of " + type.getName() + " cannot be kept as bytes (at most " + lengthMax
                            + " of them, and only of classes that its fields name): " + firstLine(e)
                            + ". Give its fields plain types, or use the warehouse on the heap.",
                    e);
        }
        return output.position();
    }

    /** Holds what {@link #encode} wrote, from index 0, until its next call. */
    public byte[] bytes() {
        return output.getBuffer();
    }

    /**
     * Reads an object.
     *
     * @param buffer holds it
     * @param offset index of its first byte
     * @param length number of its bytes
     * @return the object
     * @throws ChimeraException when the bytes are not one whole object of the class
     */
    public T decode(DirectBuffer buffer, int offset, int length) {
        if (length < 0 || length > lengthMax) {
            throw broken(length, null);
        }
        if (scratch.length < length) {
            scratch = new byte[length];
        }
        buffer.getBytes(offset, scratch, 0, length);
        try {
            input.setBuffer(scratch, 0, length);
            T object = kryo.readObject(input, type);
            if (input.position() != length) {
                throw broken(length, null);
            }
            return object;
        } catch (KryoException
                | IllegalArgumentException
                | IndexOutOfBoundsException
                | NegativeArraySizeException
                | ClassCastException
                | NullPointerException
                | ArrayStoreException e) {
            kryo.reset();
            throw broken(length, e);
        }
    }

    private ChimeraException broken(int length, RuntimeException cause) {
        return new ChimeraException(
                ChimeraException.Category.ERROR,
                length + " bytes are no object of " + type.getName()
                        + (cause == null ? "." : ": " + firstLine(cause) + "."),
                cause);
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
