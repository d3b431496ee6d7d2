package io.chimera.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginRegistryTest {
    @TempDir
    Path folder;

    /** Trivial aggregator; the format arguments are its name and the class of a called library. */
    private static final String AGGREGATOR = """
            package p;
            public final class A implements io.chimera.api.spi.Aggregator<A.State> {
                public static final class State { double last; }
                public String name() { return "%s"; }
                public State create() { return new State(); }
                public void fold(State state, double value, long timeNs) { state.last = value; }
                public void merge(State into, State from) { into.last = from.last; }
                public double result(State state) { %s }
            }
            """;

    static PluginJar aggregator(String name, String result) {
        return new PluginJar().provide("Aggregator", "p.A", AGGREGATOR.formatted(name, result));
    }

    private PluginRegistry load() {
        return PluginRegistry.load(folder, PluginRegistryTest.class.getClassLoader());
    }

    @Test
    void findsWhatIsInAFolderWithItsVersion() throws IOException {
        aggregator("last", "return state.last;").version("1.2").write(folder.resolve("mine/a.jar"));

        PluginRegistry registry = load();
        Provided<?> found = registry.find(Aggregator.class, "last").orElseThrow();
        assertThat(found).hasToString("aggregator 'last' of plugin mine 1.2 (" + folder.resolve("mine") + ")");
        assertThat(found.origin().isFolder()).isTrue();
        assertThat(registry.names(Aggregator.class)).contains("count", "last");
    }

    @Test
    void isEmptyWhereThereIsNoFolder() {
        PluginRegistry registry =
                PluginRegistry.load(folder.resolve("none"), PluginRegistryTest.class.getClassLoader());
        assertThat(registry.find(Aggregator.class, "last")).isEmpty();
    }

    @Test
    void givesAnotherInstanceEachTime() throws IOException {
        aggregator("last", "return state.last;").write(folder.resolve("mine/a.jar"));

        PluginRegistry registry = load();
        var found = registry.find(Aggregator.class, "last").orElseThrow();
        assertThat(found.maker().get()).isNotSameAs(found.maker().get());
    }

    @Test
    void keepsClassesOfTheSameNameApart() throws IOException {
        aggregator("one", "return 1;").write(folder.resolve("one/a.jar"));
        aggregator("two", "return 2;").write(folder.resolve("two/a.jar"));

        PluginRegistry registry = load();
        assertThat(result(registry, "one")).isEqualTo(1);
        assertThat(result(registry, "two")).isEqualTo(2);
    }

    @Test
    void doesNotShowAPluginTheLibrariesOfTheNode() throws IOException {
        aggregator("seeing", "return new org.agrona.collections.IntArrayList().size();")
                .write(folder.resolve("mine/a.jar"));

        PluginRegistry registry = load();
        assertThatThrownBy(() -> result(registry, "seeing"))
                .isInstanceOf(NoClassDefFoundError.class)
                .cause()
                .hasMessageContaining("add the missing JAR to the plugin's folder");
    }

    @SuppressWarnings("unchecked") // any state
    private static double result(PluginRegistry registry, String name) {
        Aggregator<Object> aggregator = (Aggregator<Object>)
                registry.find(Aggregator.class, name).orElseThrow().maker().get();
        return aggregator.result(aggregator.create());
    }

    @Test
    void refusesTwoOfOneNameAndNamesBothPlaces() throws IOException {
        aggregator("last", "return 1;").write(folder.resolve("one/a.jar"));
        aggregator("last", "return 2;").write(folder.resolve("two/a.jar"));

        assertThatThrownBy(this::load)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("'last'")
                .hasMessageContaining(folder.resolve("one").toString())
                .hasMessageContaining(folder.resolve("two").toString());
    }

    @Test
    void refusesTheNameOfWhatIsBuiltIn() throws IOException {
        aggregator("mean", "return 1;").write(folder.resolve("mine/a.jar"));

        assertThatThrownBy(this::load)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("aggregator 'mean' of plugin mine 1.0")
                .hasMessageContaining("built-in");
    }

    @Test
    void refusesAFolderThatProvidesNothing() throws IOException {
        new PluginJar().write(folder.resolve("mine/a.jar"));

        assertThatThrownBy(this::load)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("plugin mine (")
                .hasMessageContaining("META-INF/services");
    }

    @Test
    void saysWhichPluginCannotBeLoaded() throws IOException {
        new PluginJar()
                .provide(
                        "Aggregator",
                        "p.A",
                        AGGREGATOR
                                .formatted("last", "return 1;")
                                .replace("String name() {", "String name() { f();")
                                .replace(
                                        "public State create",
                                        "static void f() { throw new IllegalStateException(\"no\"); }"
                                                + " public State create"))
                .write(folder.resolve("mine/a.jar"));

        assertThatThrownBy(this::load)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("plugin mine 1.0")
                .hasMessageContaining("IllegalStateException: no");
    }

    @Test
    void noticesWhatChangedOnTheDisk() throws IOException {
        aggregator("last", "return 1;").version("1.0").write(folder.resolve("mine/a.jar"));
        PluginRegistry registry = load();
        assertThat(registry.changes(folder)).isEmpty();

        aggregator("last", "return 2;").version("1.1").write(folder.resolve("mine/a.jar"));
        aggregator("new", "return 2;").version("3").write(folder.resolve("other/a.jar"));

        assertThat(registry.changes(folder))
                .hasSize(2)
                .anySatisfy(change -> assertThat(change).contains("from 1.0 (").contains("to 1.1 ("))
                .anySatisfy(
                        change -> assertThat(change).contains("plugin other 3").contains("was added"));
    }
}
