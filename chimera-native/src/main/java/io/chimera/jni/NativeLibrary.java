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
 * Loads the native library once, at first use. The system property {@code chimera.native.path} names the file, or a folder
 * with it; without it the one in the JAR is copied to a temporary file and loaded from there. Any thread.
 */
public final class NativeLibrary {
    /** Names the file of the library, or its folder. */
    public static final String PATH_PROPERTY = "chimera.native.path";

    private static final String FILE_NAME = "libchimera.so";

    /** What os.arch says, and what the folder of the library is called, which is what uname says. */
    private static final Map<String, String> MACHINES = Map.of("amd64", "x86_64", "aarch64", "aarch64");

    /** Why the library is not there; empty when it is. */
    private static final String LOAD_FAILURE = load(System.getProperty(PATH_PROPERTY, ""));

    private NativeLibrary() {}

    /** Whether the functions of the library can be called. */
    public static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Why the library is not there, and the remedy; empty when it is. */
    public static String loadFailure() {
        return LOAD_FAILURE;
    }

    /**
     * Loads the library from a file or folder, or out of the JAR.
     *
     * @param configured empty: out of the JAR
     * @return why it could not; empty when it could
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
            return "the native library could not be copied to " + System.getProperty("java.io.tmpdir") + " (" + e
                    + "); -Djava.io.tmpdir names another folder.";
        } catch (IOException | UnsatisfiedLinkError e) {
            return "the native library could not be loaded: " + e.getMessage() + " (-D" + PATH_PROPERTY
                    + " names another file or folder.)";
        }
    }

    private static void loadFromClassPath() throws IOException {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = MACHINES.getOrDefault(System.getProperty("os.arch"), System.getProperty("os.arch"));
        String resource = "/io/chimera/jni/" + system + "-" + machine + "/" + FILE_NAME;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("it is not in the JAR for " + system + "-" + machine
                        + "; build Chimera on a machine of that kind with gcc and make.");
            }
            Path copy = Files.createTempFile("libchimera-", ".so");
            try {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
                System.load(copy.toString());
            } finally {
                // The mapped library needs its name no longer.
                Files.delete(copy);
            }
        }
    }
}
