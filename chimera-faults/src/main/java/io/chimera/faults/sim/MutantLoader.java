package io.chimera.faults.sim;

import io.chimera.faults.sim.mutant.Mutant;
import io.chimera.faults.sim.mutant.Rewrite;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Loads all classes of Chimera a second time with a mutant's changes, next to the unchanged nodes. Both sides share
 * only classes of the JDK, libraries, and {@link SeedResult}.
 */
public final class MutantLoader extends ClassLoader {
    private static final String OURS = "io.chimera.";

    private final List<Rewrite> rewrites;

    private MutantLoader(List<Rewrite> rewrites) {
        super("mutant", MutantLoader.class.getClassLoader());
        this.rewrites = rewrites;
    }

    /**
     * Returns a function that runs seeds with a mutant's nodes.
     *
     * @param out destination of the trace; null for none
     * @throws IllegalStateException when the target of a change does not exist; names the change
     */
    public static LongFunction<SeedResult> load(Mutant mutant, PrintWriter out) {
        return load(mutant.rewrites(), mutant.name(), out);
    }

    /** Returns a function that runs seeds with the baseline of a mutant: all changes without the defect. */
    static LongFunction<SeedResult> loadControl(Mutant mutant) {
        return load(mutant.control(), "", null);
    }

    private static LongFunction<SeedResult> load(List<Rewrite> rewrites, String name, PrintWriter out) {
        MutantLoader loader = new MutantLoader(rewrites);
        try {
            for (Rewrite rewrite : rewrites) {
                loader.loadClass(rewrite.className());
            }
            @SuppressWarnings("unchecked") // see MutantSeeds
            LongFunction<SeedResult> seeds = (LongFunction<SeedResult>) loader.loadClass(MutantSeeds.class.getName())
                    .getConstructor(String.class, PrintWriter.class)
                    .newInstance(name, out);
            return seeds;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Mutant " + name + " cannot be loaded.", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(OURS) || name.equals(SeedResult.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            for (Rewrite rewrite : rewrites) {
                bytes = rewrite.className().equals(name) ? rewrite.apply(bytes) : bytes;
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
