package io.chimera.common.plugin;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds plugin JARs from sources in tests. */
public final class PluginJar {
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, String> services = new LinkedHashMap<>();
    private final List<Path> libraries = new ArrayList<>();
    private String version = "1.0";

    /** Creates an empty JAR. */
    public PluginJar() {}

    /** Sets the version in the manifest. */
    public PluginJar version(String newVersion) {
        version = newVersion;
        return this;
    }

    /**
     * Adds a provider.
     *
     * @param service simple name of the interface
     * @param name full name of the class
     * @param source source of the class
     */
    public PluginJar provide(String service, String name, String source) {
        sources.put(name, source);
        services.merge("META-INF/services/io.chimera.api.spi." + service, name, (one, other) -> one + "\n" + other);
        return this;
    }

    /** Adds a JAR to the compile class path of the sources. */
    public PluginJar against(Path library) {
        libraries.add(library);
        return this;
    }

    /** Compiles the sources and writes the JAR. */
    public Path write(Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        Path classes = Files.createTempDirectory(jar.getParent(), ".classes");
        compile(classes);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                put(entries, classes.relativize(file).toString(), Files.readAllBytes(file));
            }
            for (Map.Entry<String, String> service : services.entrySet()) {
                put(entries, service.getKey(), service.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static void put(JarOutputStream entries, String name, byte[] bytes) throws IOException {
        entries.putNextEntry(new JarEntry(name));
        entries.write(bytes);
        entries.closeEntry();
    }

    private void compile(Path classes) throws IOException {
        if (sources.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
        libraries.forEach(library -> classPath.insert(0, library + ":"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach((name, source) -> units.add(new Source(name, source)));
            boolean good = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "--release",
                                    "17",
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    classPath.toString()),
                            null,
                            units)
                    .call();
            if (!good) {
                throw new IOException(said.toString());
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
