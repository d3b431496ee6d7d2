package io.chimera.node.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the current API into a plugin project. */
@Command(
        name = "api",
        description = "Update the API and the contract kit in a plugin project.",
        mixinStandardHelpOptions = true)
final class PluginApiCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Project: a folder with a pom.xml.")
    private Path project;

    @Override
    public Integer call() {
        if (!Files.isRegularFile(project.resolve("pom.xml"))) {
            throw new ChimeraException(Category.FATAL, "There is no pom.xml in " + project.toAbsolutePath() + ".");
        }
        try {
            ApiRepository.of(ChimeraHome.find()).write(project);
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, project + " cannot be written to (" + e + ").", e);
        }
        spec.commandLine().getOut().println("Wrote the API of this Chimera to " + project.resolve(".chimera") + ".");
        return 0;
    }
}
