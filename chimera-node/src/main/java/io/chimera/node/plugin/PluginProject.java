package io.chimera.node.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Creates a plugin project from the templates next to this class. Placeholders such as {@code @name@} are replaced.
 *
 * @param name name of the plugin and its folder
 * @param kind kind of the plugin
 * @param folder folder of the project; must not exist yet
 */
record PluginProject(String name, Kind kind, Path folder) {
    /** Kind of a new plugin. */
    enum Kind {
        /** Function over the values of a field in a cycle. */
        AGGREGATOR("Aggregator", "Aggregator"),
        /** Block of a composition. */
        TRANSFORM("Transform", "TransformType"),
        /** Parser of a protocol; the demo sends the project's sample text. */
        PARSER("Parser", "ParserType"),
        /** Input that fetches points itself. */
        SOURCE("Source", "Source"),
        /** Target for rows. */
        STORE("Store", "Store");

        private final String suffix;
        private final String service;

        Kind(String suffix, String service) {
            this.suffix = suffix;
            this.service = service;
        }
    }

    /** Sample text in the project folder; the demo sends the text repeatedly to the parser. */
    static final String DEMO_TEXT = "demo.txt";

    private static final List<String> COMMON = List.of("pom.xml", "README.md", ".gitignore");

    /** Writes all files of the project. */
    void write(ApiRepository api) throws IOException {
        for (String file : COMMON) {
            write(Path.of(file), filled(template(file)));
        }
        if (kind == Kind.PARSER) {
            write(Path.of(DEMO_TEXT), template(DEMO_TEXT));
        }
        Path main = Path.of("src/main/java").resolve(packageName());
        Path test = Path.of("src/test/java").resolve(packageName());
        write(main.resolve(className() + ".java"), filled(template(kind.suffix + ".java")));
        write(main.resolve("package-info.java"), filled(template("package-info.java")));
        write(test.resolve(className() + "Test.java"), filled(template(kind.suffix + "Test.java")));
        write(
                Path.of("src/main/resources/META-INF/services/io.chimera.api.spi." + kind.service),
                packageName() + "." + className() + "\n");
        api.write(folder);
    }

    private void write(Path file, String text) throws IOException {
        Path target = folder.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text);
    }

    private String filled(String template) {
        return template.replace("@name@", name)
                .replace("@id@", name.replace('-', '_'))
                .replace("@package@", packageName())
                .replace("@class@", className())
                .replace("@kind@", kind.name().toLowerCase(Locale.ROOT));
    }

    /** Appends a suffix to the package name, because a Java keyword is no valid package name. */
    private String packageName() {
        return name.replace("-", "") + "plugin";
    }

    private String className() {
        StringBuilder text = new StringBuilder();
        for (String word : name.split("-", -1)) {
            if (!word.isEmpty()) {
                text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            }
        }
        return text.append(kind.suffix).toString();
    }

    private static String template(String file) throws IOException {
        try (InputStream in = PluginProject.class.getResourceAsStream("template/" + file + ".txt")) {
            if (in == null) {
                throw new IOException("The template " + file + " is missing in this Chimera.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
