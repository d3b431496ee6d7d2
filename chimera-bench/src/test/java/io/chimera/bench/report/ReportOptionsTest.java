package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class ReportOptionsTest {
    @Command(name = "chimera bench", subcommands = Measure.class)
    private static final class Bench {}

    @Command(name = "measure")
    private static final class Measure {
        @Mixin
        private ReportOptions options;
    }

    private static ReportOptions parse(String... arguments) {
        CommandLine line = new CommandLine(new Bench());
        line.parseArgs(arguments);
        Measure measure = line.getSubcommands().get("measure").getCommand();
        return measure.options;
    }

    @Test
    void saysWhatWasAskedForAsAUserTypesIt() {
        assertThat(parse("measure").invocation()).isEqualTo("./chimera bench measure");
        assertThat(parse("measure", "--quick", "--json").invocation()).isEqualTo("./chimera bench measure --quick");
    }

    @Test
    void doesAllAndTalksUnlessAskedNotTo() {
        assertThat(parse("measure").isQuick()).isFalse();
        assertThat(parse("measure").isJson()).isFalse();
        assertThat(parse("measure", "--quick").isQuick()).isTrue();
        assertThat(parse("measure", "--json").isJson()).isTrue();
    }
}
