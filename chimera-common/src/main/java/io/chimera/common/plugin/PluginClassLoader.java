package io.chimera.common.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Enumeration;
import java.util.List;

/**
 * The classes of one plugin. It sees the JDK, Chimera's API and slf4j as everybody else does, and beside them only its own JARs:
 * what libraries Chimera uses, and in which version, is nothing to it.
 */
final class PluginClassLoader extends URLClassLoader {
    /** Begins the names of the loaders, so that a frame of a stack tells which plugin it is of. */
    static final String NAME_PREFIX = "plugin:";

    private static final List<String> SHARED = List.of("io.chimera.api.", "org.slf4j.");
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader shared;

    PluginClassLoader(String plugin, URL[] jars, ClassLoader shared) {
        super(NAME_PREFIX + plugin, jars, JDK);
        this.shared = shared;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (isShared(name) || name.equals(Checkpoint.class.getName())) {
            return shared.loadClass(name);
        }
        return super.loadClass(name, resolve); // the JDK's first, which nobody can replace, then its own
    }

    private static boolean isShared(String name) {
        return SHARED.stream().anyMatch(name::startsWith);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        URL resource = findResource(path);
        if (resource == null) {
            throw new ClassNotFoundException(name + ", which neither the JDK nor a JAR of " + getName()
                    + " has; put its JAR into the plugin's folder");
        }
        try (InputStream in = resource.openStream()) {
            byte[] code = Checkpoints.add(in.readAllBytes());
            int dot = name.lastIndexOf('.');
            if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
                definePackageOnce(name.substring(0, dot));
            }
            return defineClass(
                    name,
                    code,
                    0,
                    code.length,
                    new ProtectionDomain(new CodeSource(resource, (Certificate[]) null), null, this, null));
        } catch (IOException e) {
            throw new ClassNotFoundException(name + " in " + resource, e);
        }
    }

    private void definePackageOnce(String name) {
        try {
            definePackage(name, null, null, null, null, null, null, null);
        } catch (IllegalArgumentException e) {
            if (getDefinedPackage(name) == null) {
                throw e;
            } // else another thread was first
        }
    }

    /** Files of {@code META-INF/services} are found in its own JARs only, or every plugin would bring those of the class path. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return findResources(name);
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? JDK.getResource(name) : own;
    }
}
