package io.chimera.node.plugin;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a plugin project. */
@Command(
        name = "new",
        description = {
            "Create a Maven project with a working plugin.",
            "The project compiles, passes the contract kit and runs in the demo. It contains the API, so it builds"
                    + " without Chimera and without a network."
        },
        mixinStandardHelpOptions = true)
final class PluginNewCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "NAME",
            description = "Name of the plugin and of its folder: lower-case letters, digits and dashes.")
    private String name;

    @Option(
            names = "--kind",
            defaultValue = "aggregator",
            description = "Kind: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private PluginProject.Kind kind;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Parent folder of the project. Default: the current folder.")
    private Path folder = Path.of("");

    @Override
    public Integer call() {
        if (!name.matches("[a-z][a-z0-9-]{0,40}")) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "'" + name + "' is no valid name: expected lower-case letters, digits and dashes, first a"
                            + " letter.");
        }
        Path project = folder.toAbsolutePath().normalize().resolve(name);
        if (Files.exists(project)) {
            throw new ChimeraException(Category.FATAL, project + " already exists; choose another name, or remove it.");
        }
        ChimeraHome home = ChimeraHome.find();
        try {
            new PluginProject(name, kind, project).write(ApiRepository.of(home));
            tell(project, launcher(home, project.getParent()));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "The project cannot be written to " + project + " (" + e + ").", e);
        }
        return 0;
    }

    /**
     * Returns the path of the launcher from within the project: a link next to the project, unless the name is taken.
     */
    private static String launcher(ChimeraHome home, Path parent) throws IOException {
        Path launcher = home.folder().resolve("chimera").toRealPath();
        Path link = parent.resolve("chimera");
        if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS) && Files.isExecutable(launcher)) {
            Files.createSymbolicLink(link, launcher);
        }
        boolean isLauncher = Files.isRegularFile(link) && link.toRealPath().equals(launcher);
        return isLauncher ? "../chimera" : launcher.toString();
    }

    private void tell(Path project, String launcher) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Created " + project + ". To build, test and run it:");
        out.println("  cd " + name);
        out.println("  mvn -q verify");
        out.println("  " + launcher + " demo --plugin .");
    }
}
