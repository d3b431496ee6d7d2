package io.chimera.common.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Tags;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RowNamingTest {
    /** Name fragments with a high probability of similar names and of Chimera's own names. */
    private static final List<String> PIECES = List.of(
            "", ".", "..", "%", "%%", "2E", "%2E", "25", "%25", "a", "b", "io", "read", "count", "top", " ", "=", ",",
            ":", "\\", "chimera", "value", "top_", "group_", "(empty)", "é", "日本", "😀", "\u0000");

    private final RowNaming naming = new RowNaming("all", "", Map.of());

    /** Identity of a row, independent of the naming rules. */
    private record Identity(String metric, Map<String, String> tags, String field, String function, String text) {}

    private record Key(String metric, Tags tags) {}

    private static String name(SplittableRandom random, boolean mayBeEmpty) {
        StringBuilder name = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            name.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return name.length() == 0 && !mayBeEmpty ? "x" : name.toString();
    }

    /** Draws from very few names, so a missing rule soon causes a collision. */
    private static Identity drawShort(SplittableRandom random) {
        List<String> pieces = List.of(".", "%", "2E", "a", "count");
        String[] names = {"", "", "a"};
        for (int i = 0; i < names.length; i++) {
            for (int k = random.nextInt(3); k >= 0; k--) {
                names[i] += pieces.get(random.nextInt(pieces.size()));
            }
        }
        return new Identity(names[0], Map.of(), names[1], names[2], null);
    }

    private static Identity draw(SplittableRandom random) {
        if (random.nextBoolean()) {
            return drawShort(random);
        }
        Map<String, String> tags = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            tags.put(name(random, false), random.nextBoolean() ? "all" : name(random, false));
        }
        boolean isTop = random.nextInt(3) == 0;
        return new Identity(
                name(random, false),
                tags,
                name(random, true),
                isTop ? "top" : name(random, false),
                isTop ? name(random, true) : null);
    }

    private Key keyOf(Identity row) {
        Tags tags = Tags.of(row.tags);
        return new Key(
                naming.metric(row.metric, row.field, row.function),
                row.text == null ? naming.tags(tags) : naming.tags(tags, row.text));
    }

    @Test
    void givesEveryRowOfHostileNamesANameOfItsOwn() {
        SplittableRandom random = new SplittableRandom(15);
        Map<Key, Identity> seen = new HashMap<>();
        for (int i = 0; i < 60_000; i++) {
            Identity row = draw(random);
            row = row.text == null && row.function.startsWith("top")
                    ? new Identity(row.metric, row.tags, row.field, "max", null)
                    : row;
            Identity other = seen.put(keyOf(row), row);
            assertThat(other).as("the row that has the same name").isIn(null, row);
        }
        assertThat(seen).hasSizeGreaterThan(20_000);
    }

    @Test
    void takesEveryNameApartAgain() {
        SplittableRandom random = new SplittableRandom(16);
        for (int i = 0; i < 30_000; i++) {
            Identity row = draw(random);
            assertThat(RowNaming.parse(naming.metric(row.metric, row.field, row.function)))
                    .contains(new RowNaming.Name(row.metric, row.field, row.function));
        }
    }

    @Test
    void escapesDotsOfFieldsAndFunctions() {
        assertThat(naming.metric("disk.io", "read", "count")).isEqualTo("disk.io.read.count");
        assertThat(naming.metric("disk", "io.read", "count")).isEqualTo("disk.io%2Eread.count");
        assertThat(naming.metric("disk", "io%2Eread", "my.mean")).isEqualTo("disk.io%252Eread.my%2Emean");
        assertThat(naming.metric("disk", "io.read")).isEqualTo("disk.io%2Eread");
        assertThat(naming.metric("disk", "", "sum")).isEqualTo("disk..sum");
    }

    @Test
    void takesNothingApartThatNoFunctionMade() {
        assertThat(RowNaming.parse("cpu")).isEmpty();
        assertThat(RowNaming.parse("cpu.idle")).isEmpty();
        assertThat(RowNaming.parse(".count")).isEmpty();
        assertThat(RowNaming.parse("..count")).contains(new RowNaming.Name("", "", "count"));
    }

    @Test
    void keepsTheTagsOfTheGroupApartFromItsOwn() {
        Tags plain = Tags.of(Map.of("host", "a"));

        assertThat(naming.tags(plain)).isSameAs(plain);
        assertThat(tags(Map.of())).isEqualTo(Map.of("chimera", "all"));
        assertThat(tags(Map.of("chimera", "all"))).isEqualTo(Map.of("group_chimera", "all"));
        assertThat(tags(Map.of("group_chimera", "all"))).isEqualTo(Map.of("group_group_chimera", "all"));
        assertThat(tags(Map.of("value", "1"))).isEqualTo(Map.of("value", "1"));
        assertThat(naming.tags(Tags.of(Map.of("value", "s")), "t").asMap())
                .isEqualTo(Map.of("group_value", "s", "value", "t"));
        assertThat(naming.tags(Tags.NONE, "").asMap()).isEqualTo(Map.of("chimera", "all", "value", "(empty)"));
        assertThat(naming.tags(plain, "(empty)").get("value")).isEqualTo("%(empty)");
        assertThat(naming.tags(plain, "%(empty)").get("value")).isEqualTo("%%(empty)");
        assertThat(naming.tags(plain, "50%").get("value")).isEqualTo("50%");
    }

    private Map<String, String> tags(Map<String, String> group) {
        return naming.tags(Tags.of(group)).asMap();
    }
}
