package io.chimera.bench.archive.disk;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.util.List;

/** Measures a disk with fio, which writes the disk from its beginning. */
final class Fio {
    /** Field positions in a line of fio's terse format, version 3. */
    private static final int WRITE_KIB_PER_S = 47;

    private static final int ERROR = 4;

    private Fio() {}

    /**
     * Returns MiB/s of writes of 1 MiB past the page cache. Uses libaio, because the cap would count the pieces of
     * io_uring writes twice.
     */
    static double write(String device, int depth, long bytes) throws IOException, InterruptedException {
        String said = ProgramRun.run(List.of(
                ProgramRun.require("fio"),
                "--name=raw",
                "--filename=" + device,
                "--rw=write",
                "--bs=1M",
                "--direct=1",
                "--ioengine=libaio",
                "--iodepth=" + depth,
                "--io_size=" + bytes,
                "--end_fsync=1",
                "--output-format=terse",
                "--terse-version=3"));
        return parse(said);
    }

    /** Parses the output of fio. */
    static double parse(String said) throws IOException {
        String line = said.lines()
                .filter(each -> each.startsWith("3;"))
                .findFirst()
                .orElseThrow(() -> new IOException("fio prints no result: " + said));
        String[] words = line.split(";", -1);
        if (!words[ERROR].equals("0")) {
            throw new IOException("fio ended with error " + words[ERROR]);
        }
        return Double.parseDouble(words[WRITE_KIB_PER_S]) / 1024;
    }
}
