package io.chimera.bench.peers;

import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Points as a text file in main memory, with the same pages for every engine and client. Deleted on close. */
final class InputFile implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path file;

    private InputFile(Path file) {
        this.file = file;
    }

    static InputFile write(PointShape shape, int points) throws IOException {
        Path folder = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        InputFile input = new InputFile(Files.createTempFile(folder, "chimera-bench-", ".lines"));
        input.file.toFile().deleteOnExit(); // after Ctrl-C
        PointText text = PointText.of(shape);
        byte[] line = new byte[shape.lineLength()];
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(input.file), 1 << 20)) {
            for (int point = 0; point < points; point++) {
                text.write(point, line, 0);
                out.write(line);
            }
        }
        return input;
    }

    Path path() {
        return file;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
