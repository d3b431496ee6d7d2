package io.chimera.common.config.binding;

import io.chimera.common.config.binding.ConfigNode.Items;
import io.chimera.common.config.binding.ConfigNode.Scalar;
import io.chimera.common.config.binding.ConfigNode.Section;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * Binds parsed nodes to records. Problems are collected and the affected values get their defaults, so one run reports
 * all problems. A new key needs only a new component of its record.
 */
public final class ConfigBinder {
    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private final List<ConfigProblem> problems;

    /** Creates a binder that adds problems to the list. */
    public ConfigBinder(List<ConfigProblem> problems) {
        this.problems = problems;
    }

    /**
     * Binds a section to a record; returns null, with a problem, if a required value of a record without defaults is
     * missing.
     */
    public <R> R bind(Section section, Class<R> type, String path) {
        RecordKeys<R> keys = new RecordKeys<>(type);
        Object[] values = new Object[keys.keys().size()];
        boolean isComplete = true;
        for (int i = 0; i < values.length; i++) {
            RecordKeys.Key key = keys.keys().get(i);
            ConfigNode node = section.entries().get(key.name());
            String full = ConfigPath.join(path, key.name());
            values[i] = node == null ? null : value(node, key.type(), full);
            if (key.isRequired() && values[i] == null) {
                isComplete = false;
                reportMissing(node == null ? section : node, node, key, full);
            }
        }
        if (!keys.takesSettings()) {
            reportUnknown(section, keys, path);
        }
        R record = isComplete ? create(section, keys, values, path) : null;
        if (record instanceof Extensible extensible && !extensible.isPlugin()) {
            reportUnknown(section, keys, path);
        }
        return record;
    }

    private void reportMissing(ConfigNode at, ConfigNode node, RecordKeys.Key key, String path) {
        if (node == null || isNothing(node)) {
            Class<?> type = key.component().getType();
            report(
                    at,
                    path,
                    path + " is missing; expected " + ScalarType.of(type).expectation(type) + ".");
        }
    }

    private <R> R create(Section section, RecordKeys<R> keys, Object[] values, String path) {
        Settings settings = new Settings(section, Set.copyOf(keys.names()), path);
        try {
            return keys.create(values, settings);
        } catch (InvalidRecordException e) {
            for (InvalidRecordException.Fault fault : e.faults()) {
                ConfigNode at = section.entries().getOrDefault(fault.key(), section);
                String key = ConfigPath.join(path, fault.key());
                report(at, key, key + " " + fault.message());
            }
            return withoutFaults(keys, values, settings, e);
        } catch (IllegalArgumentException e) {
            report(
                    section,
                    path,
                    path + ": " + e.getMessage()
                            + (String.valueOf(e.getMessage()).endsWith(".") ? "" : "."));
        }
        return defaults(keys);
    }

    /**
     * Returns a record with defaults in place of the invalid values, so that further checks see the other values. A
     * default may not fit a valid value; then this value also becomes the default.
     */
    private static <R> R withoutFaults(
            RecordKeys<R> keys, Object[] values, Settings settings, InvalidRecordException invalid) {
        Object[] sound = values.clone();
        InvalidRecordException last = invalid;
        while (removeFaults(keys, sound, last)) {
            try {
                return keys.create(sound, settings);
            } catch (InvalidRecordException e) {
                last = e;
            } catch (IllegalArgumentException e) {
                return defaults(keys);
            }
        }
        return defaults(keys);
    }

    /** Removes invalid values; returns whether a value was removed. */
    private static boolean removeFaults(RecordKeys<?> keys, Object[] values, InvalidRecordException invalid) {
        boolean isRemoved = false;
        for (InvalidRecordException.Fault fault : invalid.faults()) {
            int key = keys.names().indexOf(ConfigPath.first(fault.key()));
            isRemoved |= key >= 0 && values[key] != null;
            if (key >= 0) {
                values[key] = null;
            }
        }
        return isRemoved;
    }

    /** Returns the default record for further checks; null for a plugin's record without defaults. */
    private static <R> R defaults(RecordKeys<R> keys) {
        try {
            return keys.defaults();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private void reportUnknown(Section section, RecordKeys<?> keys, String path) {
        section.entries().forEach((key, node) -> {
            if (!keys.names().contains(key)) {
                String full = ConfigPath.join(path, key);
                report(node, full, "Unknown key " + full + "; " + hint(key, keys, path));
            }
        });
    }

    private static String hint(String key, RecordKeys<?> keys, String path) {
        Optional<RecordKeys.Key> renamed =
                keys.keys().stream().filter(now -> now.wasCalled(key)).findFirst();
        if (renamed.isPresent()) {
            return "it was renamed to " + ConfigPath.join(path, renamed.get().name()) + ".";
        }
        List<String> known = keys.names();
        String nearest = known.stream()
                .min(Comparator.comparing(name -> DISTANCE.apply(key, name)))
                .orElse("");
        if (nearest.isEmpty()) {
            return "this section has no keys.";
        }
        boolean near = DISTANCE.apply(key, nearest) <= Math.max(2, nearest.length() / 3);
        return near
                ? "did you mean " + ConfigPath.join(path, nearest) + "?"
                : "known keys: " + String.join(", ", known) + ".";
    }

    private Object value(ConfigNode node, Type type, String path) {
        if (type != String.class && type != Path.class && isNothing(node)) {
            return null;
        }
        if (type instanceof ParameterizedType parameterized) {
            Type[] arguments = parameterized.getActualTypeArguments();
            return parameterized.getRawType() == List.class
                    ? list(node, arguments[0], path)
                    : map(node, arguments[1], path);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord() && ScalarType.of(raw) == null) {
            return record(node, raw, path);
        }
        return scalar(node, raw, path);
    }

    /** Returns whether a key has no value and therefore gets its default. */
    private static boolean isNothing(ConfigNode node) {
        return node instanceof Scalar scalar && scalar.text().isEmpty();
    }

    private List<Object> list(ConfigNode node, Type of, String path) {
        if (node instanceof Scalar) {
            Object only = value(node, of, path); // a single value is a list of one
            return only == null ? null : List.of(only);
        }
        if (!(node instanceof Items items)) {
            report(node, path, path + " is " + describe(node) + "; expected a list such as [a, b].");
            return null;
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Object value = value(items.items().get(i), of, path + "[" + i + "]");
            if (value != null) {
                values.add(value);
            }
        }
        return List.copyOf(values);
    }

    private Map<String, Object> map(ConfigNode node, Type of, String path) {
        if (!(node instanceof Section section)) {
            report(node, path, path + " is " + describe(node) + "; expected names, each with its own keys.");
            return null;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        section.entries().forEach((name, entry) -> {
            String full = ConfigPath.join(path, name);
            if (!name.matches(ConfigPath.NAME_FORM)) {
                report(entry, full, full + ": a name must be up to 64 letters, digits, dots, dashes or underscores.");
                return;
            }
            boolean isDefault = isNothing(entry) && of != String.class;
            Object value = value(isDefault ? new Section(entry.place(), Map.of()) : entry, of, full);
            if (value != null) {
                values.put(name, value);
            }
        });
        return values;
    }

    private Object record(ConfigNode node, Class<?> type, String path) {
        if (node instanceof Section section) {
            return bind(section, type, path);
        }
        report(
                node,
                path,
                path + " is " + describe(node) + "; expected keys: " + String.join(", ", new RecordKeys<>(type).names())
                        + ".");
        return null;
    }

    private Object scalar(ConfigNode node, Class<?> type, String path) {
        ScalarType expected = ScalarType.of(type);
        if (expected == null) {
            throw new IllegalStateException("No way to read a " + type + " from a configuration: " + path);
        }
        if (node instanceof Scalar scalar) {
            try {
                return expected.read(scalar.text(), type);
            } catch (IllegalArgumentException | ArithmeticException e) {
                report(
                        node,
                        path,
                        path + " is " + shown(scalar, path) + "; expected " + expected.expectation(type) + ".");
                return null;
            }
        }
        report(node, path, path + " is " + describe(node) + "; expected " + expected.expectation(type) + ".");
        return null;
    }

    private static String describe(ConfigNode node) {
        if (node instanceof Section) {
            return "a section";
        }
        return node instanceof Items ? "a list" : shown((Scalar) node, "");
    }

    private static String shown(Scalar scalar, String path) {
        String text = Secrets.isSecret(path) ? Secrets.REDACTED : Secrets.withoutUserInfo(scalar.text());
        return "'" + (text.length() > 60 ? text.substring(0, 60) + "…" : text) + "'";
    }

    private void report(ConfigNode node, String key, String message) {
        problems.add(node.place().problem(key, message));
    }
}
