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
     * @param component where it is kept
     */
    record Key(String name, Type type, RecordComponent component) {
        /** What it means. */
        String doc() {
            Doc doc = component.getAnnotation(Doc.class);
            if (doc == null) {
                throw new IllegalStateException("A configuration key without @Doc: " + component);
            }
            return doc.value();
        }

        /** Whether the key had this name in an earlier version. */
        boolean wasCalled(String former) {
            Formerly formerly = component.getAnnotation(Formerly.class);
            return formerly != null && formerly.value().equals(former);
        }

        /** Whether it has no default: a primitive is never absent. */
        boolean isRequired() {
            return component.getType().isPrimitive();
        }

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
                .filter(component -> component.getType() != Settings.class)
                .map(component -> new Key(ConfigPath.keyOf(component.getName()), component.getGenericType(), component))
                .toList();
    }

    /** Whether keys that are not known here are those of a plugin. */
    boolean takesSettings() {
        return keys.size() < type.getRecordComponents().length;
    }

    /** The keys of a plugin in a record; {@link Settings#NONE} where it takes none. */
    static Settings settingsIn(Record record) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (component.getType() == Settings.class) {
                return (Settings) new Key("", component.getType(), component).valueIn(record);
            }
        }
        return Settings.NONE;
    }

    List<Key> keys() {
        return keys;
    }

    List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /** The record with the default of every key. */
    R defaults() {
        return create(new Object[keys.size()], null);
    }

    /**
     * Makes a record.
     *
     * @param values in the order of the keys; null takes the default
     * @param settings for the component that takes the keys of a plugin, where there is one
     * @throws IllegalArgumentException as the record throws it
     */
    R create(Object[] values, Settings settings) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        int next = 0;
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = components[i].getType() == Settings.class ? settings : values[next++];
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
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
