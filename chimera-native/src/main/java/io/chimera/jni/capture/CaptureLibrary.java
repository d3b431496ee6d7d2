package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The native library: where it is found, and its functions, which {@code chimera_jni.c} explains. The system property
 * {@code chimera.native.path} names the file, or a folder with it; without it the one in the JAR is copied to a temporary
 * file and loaded from there. Loaded once, at first use.
 */
final class CaptureLibrary {

    /** Room for a sentence of an error, with its final zero. */
    static final int TEXT_BYTES = 1024;

    private static final String PATH_PROPERTY = "chimera.native.path";
    private static final String FILE_NAME = "libchimera.so";

    /** {@code CHIMERA_CAPTURE_VERSION}. */
    private static final int VERSION = 1;

    /** What os.arch says, and what the folder of the library is called, which is what uname says. */
    private static final Map<String, String> MACHINES = Map.of("amd64", "x86_64", "aarch64", "aarch64");

    /** Why the library is not there; empty when it is. */
    private static final String LOAD_FAILURE = load(System.getProperty(PATH_PROPERTY, ""));

    private CaptureLibrary() {}

    static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Why the library is not there, and the remedy; empty when it is. */
    static String loadFailure() {
        return LOAD_FAILURE;
    }

    /** What a back-end of the loaded library lacks; empty when it lacks nothing. */
    static String unavailabilityCause(String backEnd) {
        int number = backEndNumber(backEnd);
        if (number < 0) {
            return "the native library was built without " + backEnd + "; build it anew from the whole source tree.";
        }
        UnsafeBuffer cause = text(TEXT_BYTES);
        return available(number, cause.addressOffset(), TEXT_BYTES) ? "" : textAt(cause.addressOffset());
    }

    /** The number of a back-end in the library, or -1. */
    static int backEndNumber(String backEnd) {
        for (int number = 0; ; number++) {
            long name = backEndName(number);
            if (name == 0 || textAt(name).equals(backEnd)) {
                return name == 0 ? -1 : number;
            }
        }
    }

    /** Memory for a text of C. Whoever passes its address keeps the buffer until the call is over. */
    static UnsafeBuffer text(int capacity) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** A text in the form that C wants. */
    static UnsafeBuffer text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        UnsafeBuffer text = text(bytes.length + 1);
        text.putBytes(0, bytes);
        return text;
    }

    /** The text of C at an address. */
    static String textAt(long address) {
        MutableDirectBuffer text = new UnsafeBuffer(address, TEXT_BYTES);
        int length = 0;
        while (length < TEXT_BYTES && text.getByte(length) != 0) {
            length++;
        }
        return text.getStringWithoutLengthUtf8(0, length);
    }

    static native long backEndName(int number);

    static native boolean available(int number, long cause, int capacity);

    static native long open(
            int number,
            long target,
            long filter,
            int snapLength,
            int ringBytes,
            int queue,
            int queues,
            int flags,
            double speed,
            long error,
            int capacity);

    @HotPath
    static native int receive(long handle, long packets, int max, int timeoutMs);

    @HotPath
    static native int release(long handle);

    static native int counters(long handle, long counters);

    static native int linkType(long handle);

    static native long failure(long handle);

    static native void close(long handle);

    private static native int version();

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
            return version() == VERSION
                    ? ""
                    : "the native library is of another build (version " + version() + ", wanted " + VERSION
                            + "); build it anew, or leave -D" + PATH_PROPERTY + " away.";
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
        try (InputStream library = CaptureLibrary.class.getResourceAsStream(resource)) {
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
