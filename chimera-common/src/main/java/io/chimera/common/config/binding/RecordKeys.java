package io.chimera.common.config.binding;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Keys of a configuration record, in the order of its components.
 *
 * @param <R> the record
 */
public final class RecordKeys<R> {
    /**
     * Configuration key.
     *
     * @param name name in the file
     * @param type type of the value
     * @param component record component of the value
     */
    public record Key(String name, Type type, RecordComponent component) {
        /** Description of the key. */
        public String doc() {
            Doc doc = component.getAnnotation(Doc.class);
            if (doc == null) {
                throw new IllegalStateException("A configuration key without @Doc: " + component);
            }
            return doc.value();
        }

        /** Returns whether the key had this name in an earlier version. */
        boolean wasCalled(String former) {
            Formerly formerly = component.getAnnotation(Formerly.class);
            return formerly != null && formerly.value().equals(former);
        }

        /** Returns whether the key needs a value: a primitive type without a default cannot be absent. */
        boolean isRequired() {
            return component.getType().isPrimitive() && !component.isAnnotationPresent(Default.class);
        }

        /** Creates the declared default; null for a key that may be absent. */
        Object defaultValue() {
            Default declared = component.getAnnotation(Default.class);
            return declared == null ? null : defaultOf(declared.value());
        }

        private Object defaultOf(String[] texts) {
            Class<?> raw = component.getType();
            if (raw == Map.class) {
                return Map.of();
            }
            if (raw == List.class) {
                Class<?> item = (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0];
                return Arrays.stream(texts)
                        .map(text -> ScalarType.of(item).read(text, item))
                        .toList();
            }
            ScalarType scalar = ScalarType.of(raw);
            return scalar == null
                    ? new RecordKeys<>(raw).defaults()
                    : scalar.read(texts.length == 0 ? "" : texts[0], raw);
        }

        public Object valueIn(Object record) {
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

    public RecordKeys(Class<R> type) {
        this.type = type;
        this.keys = Arrays.stream(type.getRecordComponents())
                .filter(component -> component.getType() != Settings.class)
                .map(component -> new Key(ConfigPath.keyOf(component.getName()), component.getGenericType(), component))
                .toList();
    }

    /** Returns whether unknown keys belong to a plugin. */
    public boolean takesSettings() {
        return keys.size() < type.getRecordComponents().length;
    }

    /** Returns the plugin's keys in a record; {@link Settings#NONE} for a record without plugin keys. */
    static Settings settingsIn(Record record) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (component.getType() == Settings.class) {
                return (Settings) new Key("", component.getType(), component).valueIn(record);
            }
        }
        return Settings.NONE;
    }

    public List<Key> keys() {
        return keys;
    }

    List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    /** Creates the record with all defaults. */
    public R defaults() {
        return create(new Object[keys.size()], null);
    }

    /**
     * Creates a record.
     *
     * @param values values in the order of the keys; null for the default
     * @param settings plugin keys for the component of type {@link Settings}; null for none
     * @throws IllegalArgumentException if the record rejects the values
     */
    R create(Object[] values, Settings settings) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        int next = 0;
        for (int i = 0; i < arguments.length; i++) {
            if (components[i].getType() == Settings.class) {
                arguments[i] = settings == null ? Settings.NONE : settings;
            } else {
                Object value = values[next];
                arguments[i] = value == null ? keys.get(next).defaultValue() : value;
                next++;
            }
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
            throw new IllegalStateException("Cannot create a configuration record: " + type, e);
        }
    }
}
