package io.chimera.dataset.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files of a report in the folder of a job: {@code report.json} and {@code report.html}. Any thread. */
public final class ReportFiles {
    private static final ObjectMapper JSON =
            new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    private ReportFiles() {}

    /**
     * Writes the files, in place of those of an earlier run.
     *
     * @param report the report
     * @param folder folder of the job
     * @return the page
     * @throws IOException when a file cannot be written
     */
    public static Path write(JobReport report, Path folder) throws IOException {
        replace(
                folder.resolve("report.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(report));
        Path page = folder.resolve("report.html");
        replace(page, ReportPage.write(report).getBytes(StandardCharsets.UTF_8));
        return page;
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        Files.write(unfinished, content);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
