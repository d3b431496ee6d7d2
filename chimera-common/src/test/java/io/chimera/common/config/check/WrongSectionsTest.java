package io.chimera.common.config.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.Listening;
import io.chimera.common.config.binding.ConfigProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong keys hide problems of their defaults, but not problems of keys that only begin with the same letters. */
final class WrongSectionsTest {
    @Test
    void aWrongEntryDoesNotConcernAnEntryWhoseNameBeginsWithItsName() {
        WrongSections wrong = wrong("pipelines.p1");

        assertThat(wrong.concern("pipelines.p1.stores")).isTrue();
        assertThat(wrong.contain(problem("pipelines.p1.stores"))).isTrue();
        assertThat(wrong.concern("pipelines.p10")).isFalse();
        assertThat(wrong.concern(problem("pipelines.p10.stores"))).isFalse();
        assertThat(wrong.contain(problem("pipelines.p10.stores"))).isFalse();
    }

    @Test
    void aWrongKeyConcernsItsSectionButContainsOnlyItself() {
        WrongSections wrong = wrong("node.tls.cert");

        assertThat(wrong.concern("node.tls.key")).isTrue();
        assertThat(wrong.contain(problem("node.tls.key"))).isFalse();
        assertThat(wrong.contain(problem("node.tls"))).isTrue();
        assertThat(wrong.concern("node.tls_cert")).isFalse();
    }

    @Test
    void aProblemWithoutAKeyConcernsNothing() {
        WrongSections wrong = wrong("");

        assertThat(wrong.concern("node")).isFalse();
        assertThat(wrong.concern(problem(""))).isFalse();
        assertThat(wrong("node.id").contain(problem(""))).isFalse();
    }

    @Test
    void aWrongRoleOrNumberOfLanesMakesPortsUncertain() {
        Endpoint address = new Endpoint("127.0.0.1", 9601);
        Listening http = new Listening("node.http", address, false);
        Listening queue = new Listening("queue.address", address, false);
        Listening lane = new Listening("queue.address", address, false, 1);

        assertThat(List.of(http, queue, lane)).noneMatch(wrong("node.id")::makeUncertain);
        assertThat(List.of(queue, lane)).allMatch(wrong("node.role")::makeUncertain);
        assertThat(wrong("node.role").makeUncertain(http)).isFalse();
        assertThat(wrong("node").makeUncertain(queue)).isTrue();
        assertThat(wrong("queue.lanes").makeUncertain(lane)).isTrue();
        assertThat(wrong("queue.lanes").makeUncertain(queue)).isFalse();
        assertThat(wrong("processor.lanes").makeUncertain(lane)).isFalse();
    }

    private static WrongSections wrong(String key) {
        return new WrongSections(List.of(problem(key)));
    }

    private static ConfigProblem problem(String key) {
        return new ConfigProblem("chimera.yaml", 1, key, "pipelines.p1 is mentioned by a sentence of another key.");
    }
}
