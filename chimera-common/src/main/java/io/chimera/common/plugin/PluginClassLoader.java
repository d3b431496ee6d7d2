package io.chimera.common.plugin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Class loader of one plugin. A plugin sees the JDK, Chimera's API and slf4j of the node, and otherwise only its own
 * JARs; Chimera's other libraries and their versions are invisible.
 */
final class PluginClassLoader extends ClassLoader {
    /** Prefix of the loader names; identifies the plugin of a stack frame. */
    static final String NAME_PREFIX = "plugin:";

    private static final List<String> SHARED = List.of("io.chimera.api.", "org.slf4j.");
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    static {
        registerAsParallelCapable();
    }

    private final String plugin;
    private final Map<String, List<byte[]>> entries;
    private final ClassLoader shared;

    PluginClassLoader(PluginFolder folder, ClassLoader shared) {
        super(NAME_PREFIX + folder.origin().name(), JDK);
        plugin = folder.origin().name();
        entries = new ConcurrentHashMap<>(folder.entries());
        this.shared = shared;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (isShared(name)) {
            return shared.loadClass(name);
        }
        // the JDK's classes first, not replaceable, then the plugin's own classes
        return super.loadClass(name, resolve);
    }

    private static boolean isShared(String name) {
        return SHARED.stream().anyMatch(name::startsWith) || name.equals(Checkpoint.class.getName());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        List<byte[]> found = entries.remove(name.replace('.', '/') + ".class"); // each class is loaded once
        if (found == null) {
            throw new ClassNotFoundException(name + " is neither in the JDK nor in a JAR of " + getName()
                    + "; add the missing JAR to the plugin's folder");
        }
        byte[] code = Checkpoints.add(found.get(0));
        return defineClass(name, code, 0, code.length);
    }

    @Override
    protected URL findResource(String name) {
        List<byte[]> found = entries.get(name);
        return found == null ? null : url(name, found.get(0));
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        List<URL> urls = new ArrayList<>();
        entries.getOrDefault(name, List.of()).forEach(bytes -> urls.add(url(name, bytes)));
        return Collections.enumeration(urls);
    }

    private URL url(String name, byte[] bytes) {
        try {
            return new URL("plugin", plugin, -1, "/" + name, new Bytes(bytes));
        } catch (MalformedURLException e) {
            throw new IllegalStateException("Invalid plugin URL: " + name, e);
        }
    }

    /** Opens one JAR entry. */
    private static final class Bytes extends URLStreamHandler {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() throws IOException {
                    connected = true;
                }

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(bytes);
                }
            };
        }
    }
}
