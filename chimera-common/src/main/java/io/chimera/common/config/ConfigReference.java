package io.chimera.common.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/** Generates docs/configuration.md from the records: every key with its kind, default and meaning. */
public final class ConfigReference {
    private static final String HEAD = """
            # Configuration

            <!-- Written from the records in io.chimera.common.config by GeneratedDocsTest; edit those. -->

            One YAML file, `chimera.yaml`. Files named `conf.d/*.yaml` beside it are read after it, in the order of their
            names; a key that stands in two files is an error. `--set key=value` on the command line wins over both. The
            file is looked for where `--config` or the variable `CHIMERA_CONFIG` says, then as `./chimera.yaml`, then as
            `/etc/chimera/chimera.yaml`. An unknown key, a wrong value or a name that leads nowhere stops the node with
            exit code 78; `chimera validate` tells all of them at once, `chimera print-config` shows what is in effect.

            - Durations are whole numbers with a unit: `250ms`, `10s`, `5m`, `1h`. Sizes likewise: `512KiB`, `64MiB`, `1GiB`.
              Whole numbers may have underscores: `5_000_000`. One value where a list is expected is a list of one.
            - `${env:NAME}`, `${env:NAME:-default}` and `${file:/run/secrets/x}` are replaced in values, after parsing; a
              relative path begins at the folder of the file. `$${` stands for the characters `${`.
            - Values of keys that end in `password`, `token` or `secret`, and user and password in URLs, are never printed.
            - Members of one cluster must agree on the names of the inputs and on the pipelines; each node announces a digest
              of them.

            """;

    private final StringBuilder text = new StringBuilder(HEAD);

    private ConfigReference() {}

    /** Returns the complete document. */
    public static String markdown() {
        ConfigReference reference = new ConfigReference();
        reference.section("", ChimeraConfig.class, "");
        return reference.text.toString().stripTrailing() + "\n";
    }

    private <R> void section(String path, Class<R> type, String doc) {
        RecordKeys<R> keys = new RecordKeys<>(type);
        R defaults = keys.defaults();
        if (!path.isEmpty()) {
            text.append("## `").append(path).append("`\n\n").append(doc).append("\n\n");
            text.append("| key | kind | default | meaning |\n|---|---|---|---|\n");
            keys.keys().stream().filter(key -> nested(key.type()) == null).forEach(key -> row(key, defaults));
            text.append('\n');
        }
        for (RecordKeys.Key key : keys.keys()) {
            Class<?> nested = nested(key.type());
            if (nested != null) {
                String name = ConfigPath.join(path, key.name());
                section(key.type() instanceof ParameterizedType ? name + ".<name>" : name, nested, key.doc());
            }
        }
    }

    private void row(RecordKeys.Key key, Object defaults) {
        text.append("| `").append(key.name()).append("` | ");
        text.append(kind(key.type()).replace("|", "\\|")).append(" | ");
        text.append(shown(key.valueIn(defaults))).append(" | ");
        text.append(key.doc().replace("|", "\\|")).append(" |\n");
    }

    private static String kind(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            if (parameterized.getRawType() == Map.class) {
                return kind(parameterized.getActualTypeArguments()[1]) + "s by name";
            }
            return "list of " + kind(parameterized.getActualTypeArguments()[0]) + "s";
        }
        Class<?> raw = (Class<?>) type;
        ScalarType scalar = ScalarType.of(raw);
        return scalar.title(raw);
    }

    private static String shown(Object value) {
        if (value == null) {
            return "none";
        }
        if (value instanceof List<?> list) {
            return list.isEmpty()
                    ? "`[]`"
                    : "`" + list.stream().map(ScalarType::write).toList() + "`";
        }
        if (value instanceof Map<?, ?> map) {
            return "`" + map + "`";
        }
        String written = ScalarType.write(value);
        return written.isEmpty() ? "empty" : "`" + written + "`";
    }

    /** Returns the record type of a key's value or of the map entries; null for other types. */
    static Class<?> nested(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            Type of = parameterized.getActualTypeArguments()[parameterized.getRawType() == Map.class ? 1 : 0];
            return nested(of);
        }
        Class<?> raw = (Class<?>) type;
        return raw.isRecord() && ScalarType.of(raw) == null ? raw : null;
    }
}
