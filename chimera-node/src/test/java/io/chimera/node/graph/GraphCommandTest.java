package io.chimera.node.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

final class GraphCommandTest {
    private static final String CONFIG = """
            inputs: { cdr: { tcp: 127.0.0.1:8094 } }
            stores: { kairos: {} }
            pipelines:
              calls:
                inputs: cdr
                where: "call*"
                stores: kairos
                aggregate: { by: [caller], functions: [] }
                before:
                  blocks:
                    real: { type: drop, tags: { test: "*" } }
                    short: { type: rename, from: real, fields: { duration: d } }
                after:
                  blocks:
                    long: { type: threshold, field: d, limit: 60, edge: queued, cpu: 1 }
                    mark: { type: rename, from: long, metric: { call: "long <call>" } }
                  output: [mark, long.below]
                rows: { tags: { of: calls } }
              plain: { stores: kairos, rows: { tags: { of: plain } } }
            """;

    @TempDir
    Path folder;

    private String file;

    @BeforeEach
    void writeConfiguration() throws IOException {
        file = Files.writeString(folder.resolve("chimera.yaml"), CONFIG).toString();
    }

    @Test
    void printsThePipelinesAsDot() {
        String dot = Invocation.of("graph", "-c", file).out();

        assertThat(dot)
                .startsWith("digraph chimera {")
                .endsWith("}\n")
                .contains(
                        "\"calls/input\" [label=\"calls\\ncdr, where call*\", shape=plaintext]",
                        "\"calls/input\" -> \"calls/before/real\" [label=\"\"]",
                        "\"calls/before/real\" -> \"calls/before/short\" [label=\"out\"]",
                        "\"calls/before/short\" -> \"calls/shard\" [label=\"\"]",
                        "\"calls/before/real\" [label=\"real\\ndrop\\nunconnected: rest\"",
                        "\"calls/after/long\" [label=\"long\\nthreshold\\nthread long, core 1\\nunconnected: without\"",
                        "\"calls/shard\" -> \"calls/after/long\" [label=\"\", style=bold",
                        "\"calls/after/long\" -> \"calls/aggregate\" [label=\"below\"]",
                        "\"calls/aggregate\" -> \"calls/stores\"",
                        "\"plain/input\" -> \"plain/shard\"");
    }

    @Test
    void drawsOnePipelineWithoutBoxesOnBoxes() throws Exception {
        String svg = Invocation.of("graph", "-c", file, "--pipeline", "calls", "--svg")
                .out();

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        NodeList boxes = document.getElementsByTagName("rect");
        assertThat(boxes.getLength()).isEqualTo(8);
        for (int i = 0; i < boxes.getLength(); i++) {
            for (int k = 0; k < i; k++) {
                Element one = (Element) boxes.item(i);
                Element other = (Element) boxes.item(k);
                boolean isBeside = distance(one, other, "x") >= number(one, "width");
                assertThat(isBeside || distance(one, other, "y") >= number(one, "height"))
                        .isTrue();
            }
        }
        assertThat(svg).contains("rename").doesNotContain("plain");
    }

    @Test
    void tellsWhichPipelinesThereAre() {
        Invocation wrong = Invocation.of("graph", "-c", file, "--pipeline", "call");

        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("There is no pipeline call; configured: calls, plain.");
    }

    @Test
    void validateTellsWhatCannotBeRightInCompositions() {
        Invocation bad =
                Invocation.of("validate", "-c", file, "--set", "pipelines.calls.after.blocks.mark.from=long.abov");

        assertThat(bad.exitCode()).isEqualTo(78);
        assertThat(bad.err())
                .contains("names the gate long.abov, which does not exist; gates of long: above, below, without.");
    }

    private static double distance(Element one, Element other, String axis) {
        return Math.abs(number(one, axis) - number(other, axis));
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }
}
