package io.chimera.archive.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.key.KeySet;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.query.point.Points;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.common.composition.PointFlyweight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PointFilterTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "metric=cpu",
                "metric = cpu and host=web1",
                "host=\"web1\"",
                "note=\"two words\"",
                "load>0.5",
                "load >= 0.75 and load <= 0.75 and load = 0.75",
                "count=9007199254740993",
                "count>9007199254740992",
                "up=true",
                "up=1",
                "not host=web2",
                "host!=web2",
                "!(host=web2 or rack=7)",
                "rack=7 or host=web1",
                "rack=7 or host=web1 and load>0",
                "stream=s1",
            })
    void matchesAPoint(String filter) {
        assertThat(PointFilter.compile(filter).matches(Points.cpu())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "metric=mem",
                "metric!=cpu",
                "host=web",
                "load<0.5",
                "count=9007199254740992",
                "missing=1",
                "missing!=1",
                "missing<1",
                "host>5",
                "note>5",
                "up=false",
                "rack=7 or host=web1 and load<0",
            })
    void doesNotMatchAPoint(String filter) {
        assertThat(PointFilter.compile(filter).matches(Points.cpu())).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host | 5 | Expected '='",
                "host= | 6 | Expected a value",
                "=web1 | 1 | Expected a name",
                "host=web1 load>1 | 11 | join the rest",
                "host=web1 and | 14 | Expected a name",
                "(host=web1 | 11 | or ')'",
                "load>much | 6 | Expected a number",
                "metric>5 | 8 | compared by",
                "note=\"a | 6 | never closed",
            })
    void saysWhereItDoesNotUnderstandAndWhatToDo(String filter, int character, String part) {
        assertThatThrownBy(() -> PointFilter.compile(filter)).isInstanceOfSatisfying(QuestionException.class, e -> {
            assertThat(e.position() + 1).as(e.getMessage()).isEqualTo(character);
            assertThat(e).hasMessageContaining(part);
        });
    }

    @Test
    void howDeepAndHowLongAFilterMayBeIsBounded() {
        assertThatThrownBy(() -> PointFilter.compile("(".repeat(1_000))).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> PointFilter.compile("not ".repeat(1_000))).hasMessageContaining("deeper than");
        assertThatThrownBy(() -> PointFilter.compile("a=1 and b=1 or ".repeat(300) + "a=1"))
                .hasMessageContaining("deeper than");
        assertThatThrownBy(() -> PointFilter.compile("a=1 and ".repeat(3_000) + "a=1"))
                .hasMessageContaining("at most 2048 terms");
    }

    @Test
    void saysThatAndAndOrBindAlike() {
        assertThat(PointFilter.compile("a=1 or b=2 and c=3").warnings()).hasSize(1);
        assertThat(PointFilter.compile("a=1 or (b=2 and c=3)").warnings()).isEmpty();
    }

    @Test
    void keysOfAPointThatMatchesMatchTheProbe() {
        PointFlyweight point = Points.cpu();
        KeySet keys = new KeySet();
        PointKeys.add(point, keys);
        for (String text : List.of(
                "metric=cpu",
                "host=web1",
                "note=\"two words\"",
                "load>0.5",
                "count=9007199254740993",
                "up=true",
                "metric=cpu and host=web1 and load<1",
                "rack=7 or host=web1",
                "host!=web2",
                "not host=web2")) {
            assertThat(PointFilter.compile(text).matches(point)).as(text).isTrue();
            assertThat(keys.matches(PointFilter.compile(text).probe())).as(text).isTrue();
        }
        for (String text : List.of("metric=mem", "host=web2", "missing>1", "metric=mem and host=web1")) {
            assertThat(keys.matches(PointFilter.compile(text).probe())).as(text).isFalse();
        }
        assertThat(PointFilter.compile("host!=web2").probe()).isEqualTo(Probe.all());
    }
}
