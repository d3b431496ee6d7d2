package io.chimera.common.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of a configuration record, in the order of its components.
 *
 * @param <R> the record
 */
final class RecordKeys<R> {
    /**
     * One key.
     *
     * @param name as in the file
     * @param type of the value
     * @param doc what it means
     * @param component where it is kept
     */
    record Key(String name, Type type, String doc, RecordComponent component) {
        Object valueIn(Object record) {
            try {
                component.getAccessor().setAccessible(true);
                return component.getAccessor().invoke(record);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("A record's accessor failed: " + component, e);
            }
        }
    }

    private final Class<R> type;
    private final List<Key> keys;

    RecordKeys(Class<R> type) {
        this.type = type;
        this.keys = Arrays.stream(type.getRecordComponents())
                .map(component -> new Key(
                        ConfigPath.keyOf(component.getName()), component.getGenericType(), docOf(component), component))
                .toList();
    }

    private static String docOf(RecordComponent component) {
        Doc doc = component.getAnnotation(Doc.class);
        if (doc == null) {
            throw new IllegalStateException("A configuration key without @Doc: " + component);
        }
        return doc.value();
    }

    List<Key> keys() {
        return keys;
    }

    List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /** The record with the default of every key. */
    R defaults() {
        return create(new Object[keys.size()]);
    }

    /**
     * Makes a record.
     *
     * @param values in the order of the keys; null takes the default
     * @throws IllegalArgumentException as the record throws it
     */
    R create(Object[] values) {
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    keys.stream().map(key -> key.component().getType()).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException invalid) {
                throw invalid;
            }
            throw new IllegalStateException("A configuration record failed: " + type, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A configuration record cannot be made: " + type, e);
        }
    }
}
