package io.chimera.bench.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** GC pauses of a node, from the GC log of its JVM. One thread. */
public final class PauseLog {
    private static final Pattern PAUSE = Pattern.compile("Pause .* (\\d+\\.\\d+)ms");

    private final Path file;
    private long read;

    PauseLog(Path file) {
        this.file = file;
    }

    /** Returns the JVM flag that enables the log. */
    String flag() {
        return "-Xlog:gc:file=" + file;
    }

    /** Returns the duration of each pause since the last call, in milliseconds. */
    public List<Double> take() throws IOException {
        byte[] all = Files.readAllBytes(file);
        String text = new String(all, (int) read, all.length - (int) read, StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\n') + 1; // the last line may be incomplete
        read += end;
        List<Double> pauses = new ArrayList<>();
        Matcher matcher = PAUSE.matcher(text.substring(0, end));
        while (matcher.find()) {
            pauses.add(Double.valueOf(matcher.group(1)));
        }
        return pauses;
    }
}
