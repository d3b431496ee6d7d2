package io.chimera.dataset.source.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedXmlTest {
    private final List<String> elements = new ArrayList<>();

    private List<String> read(String document) throws XMLStreamException {
        BoundedXml.read(document.getBytes(StandardCharsets.UTF_8), (path, text) -> elements.add(path + "=" + text));
        return elements;
    }

    @Test
    void readsElementsInTheOrderOfTheirEnds() throws XMLStreamException {
        assertThat(read("<a x='1'><!-- c --><b>1 &lt;<![CDATA[&]]>&#65;</b><n:c xmlns:n='u'/></a>"))
                .containsExactly("a/b=1 <&A", "a/c=", "a=");
    }

    @Test
    void readsNoExternalEntity(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "s3cr3t");
        assertThatThrownBy(() -> read("<!DOCTYPE a [<!ENTITY x SYSTEM '" + secret.toUri() + "'>]><a>&x;</a>"))
                .isInstanceOf(XMLStreamException.class);
        assertThat(elements).noneMatch(element -> element.contains("s3cr3t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a/>",
                "<!DOCTYPE a [<!ENTITY x 'xxxx'><!ENTITY y '&x;&x;&x;&x;'>]><a>&y;</a>",
                "<a>&y;</a>",
                "<a>",
                "<a></b>",
                "<a/><a/>",
                "<a>\u0000</a>",
                "a",
                "<a b=c/>"
            })
    void refusesOtherDocuments(String document) {
        assertThatThrownBy(() -> read(document)).isInstanceOf(XMLStreamException.class);
    }

    @Test
    void boundsDepthAndText() {
        assertThatThrownBy(() -> read("<a>".repeat(17) + "</a>".repeat(17))).isInstanceOf(XMLStreamException.class);
        assertThatThrownBy(() -> read("<a>" + "x".repeat(20_000) + "</a>")).isInstanceOf(XMLStreamException.class);
    }
}
