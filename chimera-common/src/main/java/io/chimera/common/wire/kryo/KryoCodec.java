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
 * Serializes objects of one class with Kryo and mandatory registration. Only the class, the classes of its fields,
 * primitives and their arrays, strings, and the usual collections of the JDK are written or created. Encoding and
 * decoding are bounded. Single-threaded.
 *
 * @param <T> the class
 */
public final class KryoCodec<T> {
    /** Maximum nesting depth; a deeper object graph is cyclic or corrupt. */
    private static final int DEPTH_MAX = 32;

    private final Class<T> type;
    private final int lengthMax;
    private final Kryo kryo = new Kryo();
    private final Output output;
    private final BoundedInput input = new BoundedInput();
    private byte[] scratch = new byte[256];

    /**
     * Creates a codec.
     *
     * @param type class of the objects; needs a constructor without arguments
     * @param lengthMax maximum length of a serialized object in bytes
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

    /** Registers a class and the classes of its fields. JDK classes are registered above, or refused later. */
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
     * Serializes an object into {@link #bytes()}.
     *
     * @param object the object
     * @return number of bytes, at most the limit
     * @throws ChimeraException if the object exceeds the limit or contains an object of an unregistered class
     */
    public int encode(T object) {
        output.reset();
        try {
            kryo.writeObject(output, object);
        } catch (KryoException | IllegalArgumentException e) {
            throw new ChimeraException(
                    ChimeraException.Category.ERROR,
                    "Cannot serialize an object of " + type.getName() + " (limit: " + lengthMax
                            + " bytes; only classes named by its fields): " + firstLine(e)
                            + ". Use plain field types or the on-heap warehouse.",
                    e);
        }
        return output.position();
    }

    /** Array with the output of {@link #encode} from index 0; valid until the next call of {@link #encode}. */
    public byte[] bytes() {
        return output.getBuffer();
    }

    /**
     * Deserializes an object.
     *
     * @param buffer holds the object
     * @param offset index of the first byte
     * @param length number of bytes
     * @return the object
     * @throws ChimeraException if the bytes are not exactly one complete object of the class
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
                length + " bytes do not form an object of " + type.getName()
                        + (cause == null ? "." : ": " + firstLine(cause) + "."),
                cause);
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
