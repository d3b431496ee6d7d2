package io.chimera.common.config.load;

import io.chimera.common.config.binding.ConfigNode;
import io.chimera.common.config.binding.ConfigNode.Items;
import io.chimera.common.config.binding.ConfigNode.Scalar;
import io.chimera.common.config.binding.ConfigNode.Section;
import io.chimera.common.config.binding.ConfigPath;
import io.chimera.common.config.binding.ConfigProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces <code>${env:NAME}</code>, <code>${env:NAME:-default}</code> and <code>${file:/path}</code> in values. The
 * replacement follows the parsing, so replaced text cannot change the structure. <code>$${</code> is a literal
 * <code>${</code>.
 */
final class References {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}?");
    private static final Pattern ENV = Pattern.compile("env:([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?", Pattern.DOTALL);

    /** Maximum size of a referenced file: a secret is a line, a certificate a few kilobytes. */
    private static final int FILE_BYTES_MAX = 64 << 10;

    private final Map<String, String> environment;
    private final Path folder;
    private final List<ConfigProblem> problems;

    /**
     * Creates a resolver.
     *
     * @param folder base folder of relative paths
     * @param problems receives unresolvable references
     */
    References(Map<String, String> environment, Path folder, List<ConfigProblem> problems) {
        this.environment = environment;
        this.folder = folder;
        this.problems = problems;
    }

    /** Resolves all references of a section. */
    Section resolve(Section section) {
        return resolve(section, "");
    }

    private Section resolve(Section section, String path) {
        Map<String, ConfigNode> resolved = new LinkedHashMap<>();
        section.entries().forEach((key, value) -> resolved.put(key, resolve(value, ConfigPath.join(path, key))));
        return new Section(section.place(), resolved);
    }

    private ConfigNode resolve(ConfigNode node, String path) {
        if (node instanceof Section section) {
            return resolve(section, path);
        }
        if (node instanceof Items items) {
            return new Items(
                    items.place(),
                    items.items().stream().map(item -> resolve(item, path)).toList());
        }
        Scalar scalar = (Scalar) node;
        boolean plain = !scalar.text().contains("${");
        return plain ? scalar : new Scalar(scalar.place(), replace(scalar, path));
    }

    private String replace(Scalar scalar, String path) {
        Matcher matcher = REFERENCE.matcher(scalar.text());
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            String value = name == null ? "${" : lookUp(name, scalar, path);
            matcher.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(text).toString();
    }

    private String lookUp(String reference, Scalar scalar, String path) {
        Matcher env = ENV.matcher(reference);
        if (env.matches()) {
            return variable(env.group(1), env.group(3), scalar, path);
        }
        if (reference.startsWith("file:") && reference.length() > 5) {
            return file(reference.substring(5), scalar, path);
        }
        return fail(
                scalar,
                path,
                path + " contains ${" + reference
                        + "}, which is not a reference; use ${env:NAME}, ${env:NAME:-default},"
                        + " ${file:/path}, or $${ for a literal ${.");
    }

    private String variable(String name, String otherwise, Scalar scalar, String path) {
        String value = environment.get(name);
        if (value != null && !(value.isEmpty() && otherwise != null)) {
            return value;
        }
        if (otherwise != null) {
            return otherwise;
        }
        return fail(
                scalar,
                path,
                path + " needs the environment variable " + name + ", which is not set; set it or write ${env:" + name
                        + ":-default}.");
    }

    private String file(String name, Scalar scalar, String path) {
        Path file = folder.resolve(name);
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                return fail(scalar, path, path + " refers to the file " + file + ", which is larger than 64 KiB.");
            }
            return Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            return fail(
                    scalar,
                    path,
                    path + " refers to the file " + file + ", which cannot be read ("
                            + e.getClass().getSimpleName() + "); make it readable for this user.");
        }
    }

    private String fail(Scalar scalar, String path, String message) {
        problems.add(scalar.place().problem(path, message));
        return "";
    }
}
