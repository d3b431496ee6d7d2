package io.chimera.common.config.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.api.model.Tags;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.row.RowNaming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RowOverlapTest {
    private static final String STORES =
            "stores: { s: {}, same: { url: 'http://127.0.0.1:8080/' }, t: { url: 'http://t:1' } }\n";

    private static List<String> problemsOf(String one, String other) {
        String yaml = STORES + "pipelines:\n  one: " + one + "\n  two: " + other + "\n";
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class, () -> new ConfigLoader(Map.of()).parse("t", yaml, List.of()));
        return thrown == null
                ? List.of()
                : thrown.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static void assertRefused(String one, String other, String row) {
        assertThat(problemsOf(one, other))
                .singleElement()
                .asString()
                .startsWith("t:4: pipelines.one and pipelines.two can write the same row")
                .contains("e.g. " + row + ",")
                .contains("rows.tags")
                .contains("rows.prefix");
        assertThat(problemsOf(other, one)).hasSize(1);
    }

    private static void assertAccepted(String one, String other) {
        assertThat(problemsOf(one, other)).isEmpty();
        assertThat(problemsOf(other, one)).isEmpty();
    }

    @Test
    void refusesPipelinesThatCanWriteOneRow() {
        assertRefused("{ stores: s }", "{ stores: s }", "cpu.value.count{host=a}");
        assertRefused("{ stores: s }", "{ stores: [t, same] }", "cpu.value.count{host=a}");
        assertRefused(
                "{ stores: s, where: 'cpu*' }",
                "{ stores: s, aggregate: { by: [host], functions: [max] }, delivery: exactly_once }",
                "cpu.value.max{host=a}");
        assertRefused("{ stores: s, where: '*.idle' }", "{ stores: s, where: 'cpu*' }", "cpu.idle.value.count{host=a}");
        assertRefused(
                "{ stores: s, aggregate: { by: [a, b] } }",
                "{ stores: s, aggregate: { by: [b, c] } }",
                "cpu.value.count{b=a}");
    }

    @Test
    void twoSpellingsOfOneAddressAreOneStore() {
        for (String url : List.of(
                "http://localhost:8080",
                "http://LocalHost.:8080//",
                "http://[::1]:8080",
                "http://[0:0:0:0:0:0:0:1]:8080/",
                "http://127.0.0.1:08080/./",
                "http://somebody:secret@127.0.0.1:8080/")) {
            assertThat(overlapsOf("http://127.0.0.1:8080", url)).as(url).hasSize(1);
        }
        assertThat(overlapsOf("http://Kairos", "http://kairos:80/")).hasSize(1);
        assertThat(overlapsOf("https://kairos/", "https://kairos:443")).hasSize(1);
        assertThat(overlapsOf("http://kairos/a/b", "http://kairos/a//b/")).hasSize(1);
    }

    @Test
    void addressesThatDifferAreTwoStores() {
        for (String url : List.of(
                "http://127.0.0.1:8081",
                "http://127.0.0.2:8080",
                "https://127.0.0.1:8080",
                "http://127.0.0.1:8080/a",
                "http://kairos:8080")) {
            assertThat(overlapsOf("http://127.0.0.1:8080", url)).as(url).isEmpty();
        }
        assertThat(overlapsOf("http://kairos/a", "http://kairos/A")).isEmpty();
    }

    private static List<RowOverlap> overlapsOf(String url, String other) {
        PipelineConfig one = Sections.of(PipelineConfig.class, "stores", List.of("one"));
        PipelineConfig two = Sections.of(PipelineConfig.class, "stores", List.of("two"));
        return RowOverlap.of(
                Map.of("a", one, "b", two),
                Map.of(
                        "one", Sections.of(StoreConfig.class, "url", url),
                        "two", Sections.of(StoreConfig.class, "url", other)));
    }

    @Test
    void acceptsWhatStoresFunctionsKeysAndMetricsKeepApart() {
        assertAccepted("{ stores: s }", "{ stores: t }");
        assertAccepted(
                "{ stores: s, aggregate: { functions: [count] } }",
                "{ stores: s, aggregate: { functions: [max, p50] } }");
        assertAccepted("{ stores: s, where: 'cpu*' }", "{ stores: s, where: 'mem*' }");
        assertAccepted("{ stores: s, where: 'cpu' }", "{ stores: s, where: 'cpu.load' }");
        assertAccepted("{ stores: s, aggregate: { by: [a] } }", "{ stores: s, aggregate: { by: [b] } }");
        assertAccepted("{ stores: s, aggregate: { by: [a] } }", "{ stores: s, aggregate: { without: [a] } }");
    }

    @Test
    void asksForPrefixesOfWhichNeitherBeginsWithTheOther() {
        assertAccepted("{ stores: s, rows: { prefix: a. } }", "{ stores: s, rows: { prefix: b. } }");
        assertAccepted("{ stores: s, where: 'cpu*', rows: { prefix: a. } }", "{ stores: s, where: 'cpu*' }");
        assertRefused("{ stores: s, rows: { prefix: a. } }", "{ stores: s }", "a.cpu.value.count{host=a}");
        assertRefused(
                "{ stores: s, rows: { prefix: a. } }",
                "{ stores: s, rows: { prefix: a.b. } }",
                "a.b.cpu.value.count{host=a}");
    }

    @Test
    void asksForOneTagWithTwoValues() {
        assertAccepted("{ stores: s, rows: { tags: { p: a } } }", "{ stores: s, rows: { tags: { p: b } } }");
        assertRefused("{ stores: s, rows: { tags: { p: a } } }", "{ stores: s }", "cpu.value.count{p=a}");
        assertRefused(
                "{ stores: s, rows: { tags: { p: a } } }",
                "{ stores: s, rows: { tags: { q: a } } }",
                "cpu.value.count{p=a,q=a}");
        assertAccepted("{ stores: s, rows: { tags: { p: a } } }", "{ stores: s, aggregate: { by: [host] } }");
        assertAccepted("{ stores: s, rows: { tags: { p: a } } }", "{ stores: s, aggregate: { without: [p] } }");
    }

    @Test
    void trustsNoPatternWhereBlocksMayEmitAnyPoint() {
        String blocks = "after: { blocks: { b: { type: copy } } }";

        assertRefused(
                "{ stores: s, where: cpu, " + blocks + " }", "{ stores: s, where: mem }", "mem.value.count{host=a}");
        assertRefused(
                "{ stores: s, where: mem, aggregate: { by: [a], functions: [] }, " + blocks + " }",
                "{ stores: s, where: cpu, aggregate: { functions: [max] } }",
                "cpu.value.max{host=a}");
        assertRefused(
                "{ stores: s, aggregate: { functions: [] }, " + blocks + " }",
                "{ stores: s, aggregate: { functions: [] }, " + blocks + " }",
                "cpu.value{host=a}");
        assertAccepted(
                "{ stores: s, aggregate: { functions: [] }, rows: { tags: { p: a } }, " + blocks + " }",
                "{ stores: s, aggregate: { functions: [max] }, rows: { tags: { p: b } } }");
    }

    @Test
    void refusesTagsThatAreChimerasOwn() {
        for (String name : List.of("chimera", "value", "group_", "group_host")) {
            assertThat(problemsOf("{ stores: s, rows: { tags: { " + name + ": a } } }", "{ stores: t }"))
                    .singleElement()
                    .asString()
                    .startsWith("t:3: pipelines.one.rows: tags names '" + name + "'");
        }
        assertThat(problemsOf("{ stores: s, rows: { tags: { p: '' } } }", "{ stores: t }"))
                .singleElement()
                .asString()
                .contains("pipelines.one.rows: the tag 'p' is empty");
    }

    @Test
    void theExamplesOfTheProjectAreGood() throws IOException {
        Path home = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(home.resolve("conf"))) {
            home = home.getParent();
        }
        for (String file : List.of("conf/chimera.cluster.example.yaml", "conf/chimera.example.yaml")) {
            ChimeraConfig config = new ConfigLoader(Map.of()).load(home.resolve(file), List.of());
            assertThat(RowOverlap.of(config.pipelines(), config.stores())).isEmpty();
        }
    }

    // Randomized proof: pipelines without a reported overlap never write a common row, for any points

    private record Key(String metric, Tags tags) {}

    private static String draw(SplittableRandom random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static PipelineConfig pipeline(SplittableRandom random) {
        List<String> tags = List.of("a", "b", "chimera", "group_chimera");
        List<String> named = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            named.add(tags.get(random.nextInt(tags.size())));
        }
        boolean isBy = random.nextBoolean();
        Map<String, String> own = new TreeMap<>();
        for (int i = random.nextInt(2); i > 0; i--) {
            own.put(draw(random, "a", "b", "p"), draw(random, "1", "2"));
        }
        return Sections.of(
                        PipelineConfig.class,
                        "where",
                        draw(random, "*", "x*", "*x", "x.*", "x", "y*"),
                        "aggregate",
                        Sections.of(
                                AggregateConfig.class,
                                "by",
                                isBy ? named : null,
                                "without",
                                isBy ? null : named,
                                "functions",
                                List.of(draw(random, "count", "max"), draw(random, "sum", "max"))),
                        "stores",
                        List.of("s"))
                .withRows(new RowsConfig(draw(random, "", "", "x.", "y.", "x.y."), own));
    }

    private static boolean matches(String where, String metric) {
        return metric.matches(where.replace(".", "\\.").replace("*", ".*"));
    }

    private static Set<Key> rows(String name, PipelineConfig pipeline, SplittableRandom random) {
        RowNaming naming =
                new RowNaming(name, pipeline.rows().prefix(), pipeline.rows().tags());
        AggregateConfig aggregate = pipeline.aggregate();
        Set<Key> rows = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            String metric = draw(random, "x", "y", "x.y", "x.x", "yx", "x.y.x", "y.x.");
            Map<String, String> tags = new TreeMap<>();
            for (String tag : List.of("a", "b", "p", "chimera", "group_chimera")) {
                boolean isKept = aggregate.by().isEmpty()
                        ? !aggregate.without().contains(tag)
                        : aggregate.by().contains(tag);
                if (isKept && random.nextInt(3) == 0) {
                    tags.put(tag, draw(random, "1", "2", "one", "two"));
                }
            }
            if (matches(pipeline.where(), metric)) {
                for (String function : aggregate.functions()) {
                    rows.add(new Key(
                            naming.metric(metric, draw(random, "f", "x.f"), function), naming.tags(Tags.of(tags))));
                }
            }
        }
        return rows;
    }

    @Test
    void findsEveryPairOfWhichAnyPointsGiveACommonRow() {
        SplittableRandom random = new SplittableRandom(7);
        int accepted = 0;
        int common = 0;
        for (int i = 0; i < 1_000; i++) {
            Map<String, PipelineConfig> two = Map.of("one", pipeline(random), "two", pipeline(random));
            boolean isRefused = !RowOverlap.of(two, Map.of()).isEmpty();
            Set<Key> rows = rows("one", two.get("one"), random);
            rows.retainAll(rows("two", two.get("two"), random));
            assertThat(isRefused || rows.isEmpty())
                    .as("%s writes %s twice", two, rows)
                    .isTrue();
            accepted += isRefused ? 0 : 1;
            common += rows.isEmpty() ? 0 : 1;
        }
        assertThat(accepted).isGreaterThan(100);
        assertThat(common).isGreaterThan(60);
    }
}
