package io.chimera.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;

/**
 * Loads the native library once, at first use. The system property {@code chimera.native.path} gives the file or its
 * folder; without the property, the file in the JAR is copied to a temporary file and loaded from there. Thread-safe.
 */
public final class NativeLibrary {
    /** System property with the library's file or folder. */
    public static final String PATH_PROPERTY = "chimera.native.path";

    private static final String FILE_NAME = "libchimera.so";

    /** Library folder per os.arch; the folder has the machine name of uname. */
    private static final Map<String, String> MACHINES = Map.of("amd64", "x86_64", "aarch64", "aarch64");

    /** Reason why the library is unavailable; empty when loaded. */
    private static final String LOAD_FAILURE = load(System.getProperty(PATH_PROPERTY, ""));

    private NativeLibrary() {}

    /** Whether the functions of the library can be called. */
    public static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Returns the reason why the library is unavailable, and the remedy; empty when loaded. */
    public static String loadFailure() {
        return LOAD_FAILURE;
    }

    /**
     * Loads the library from a file or folder, or from the JAR.
     *
     * @param configured file or folder; empty: from the JAR
     * @return reason of a failure; empty on success
     */
    static String load(String configured) {
        try {
            if (configured.isEmpty()) {
                loadFromClassPath();
            } else {
                Path path = Path.of(configured).toAbsolutePath();
                System.load((Files.isDirectory(path) ? path.resolve(FILE_NAME) : path).toString());
            }
            return "";
        } catch (FileSystemException e) {
            return "cannot copy the native library to " + System.getProperty("java.io.tmpdir") + " (" + e
                    + "); use -Djava.io.tmpdir to choose another folder.";
        } catch (IOException | UnsatisfiedLinkError e) {
            return "cannot load the native library: " + e.getMessage() + " (use -D" + PATH_PROPERTY
                    + " to choose another file or folder.)";
        }
    }

    private static void loadFromClassPath() throws IOException {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = MACHINES.getOrDefault(System.getProperty("os.arch"), System.getProperty("os.arch"));
        String resource = "/io/chimera/jni/" + system + "-" + machine + "/" + FILE_NAME;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("the JAR has no library for " + system + "-" + machine
                        + "; build Chimera on a machine of that kind with gcc and make.");
            }
            Path copy = Files.createTempFile("libchimera-", ".so");
            try {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
                System.load(copy.toString());
            } finally {
                // A mapped library no longer needs its file name.
                Files.delete(copy);
            }
        }
    }
}
