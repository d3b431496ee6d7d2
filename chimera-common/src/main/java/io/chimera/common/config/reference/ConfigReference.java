package io.chimera.common.config.reference;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.RecordKeys;
import io.chimera.common.config.binding.ScalarType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

/** Generates docs/configuration.md from the records: every key with its kind, default and meaning. */
public final class ConfigReference {
    private static final String HEAD = """
        # Configuration

        <!-- Generated from the records in io.chimera.common.config by GeneratedDocsTest; edit the records. -->

        The configuration is one YAML file, `chimera.yaml`. Files named `conf.d/*.yaml` in the same folder are read
        afterwards, ordered by name; a key in two files is an error. `--set key=value` on the command line overrides
        all files. The node reads the file given by `--config` or the variable `CHIMERA_CONFIG`, otherwise
        `./chimera.yaml`, otherwise `/etc/chimera/chimera.yaml`. An unknown key, an invalid value or an unknown name
        stops the node with exit code 78; `chimera validate` reports all problems at once, `chimera print-config`
        prints the effective configuration.

        - Durations are integers with a unit: `250ms`, `10s`, `5m`, `1h`. Sizes likewise: `512KiB`, `64MiB`, `1GiB`.
          Integers may contain underscores: `5_000_000`. A single value in place of a list is a list of one.
        - `${env:NAME}`, `${env:NAME:-default}` and `${file:/run/secrets/x}` are replaced in values, after parsing;
          a relative path in `${file:…}` starts at the folder of the file. `$${` is a literal `${`.
        - Other relative paths, e.g. `node.data_dir` and `tls.cert`, start at the working directory of the command.
          Use absolute paths for nodes that run as a service.
        - Values of keys with the suffix `password`, `token` or `secret`, and user and password in URLs, are never
          printed.
        - Members of one cluster must have the same names of inputs and the same pipelines; each node announces a
          digest of both.

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
