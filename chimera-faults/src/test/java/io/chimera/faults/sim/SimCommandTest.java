package io.chimera.faults.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void printsSeedsFaultsAndOneJsonObjectAtTheEnd() throws IOException {
        assertThat(run("--seeds", "20", "--json")).isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines).anySatisfy(line -> assertThat(line).startsWith("20 seeds, 0 bad;"));
        JsonNode json = new ObjectMapper().readTree(lines.get(lines.size() - 1));
        assertThat(json.get("seeds").asInt()).isEqualTo(20);
        assertThat(json.get("bad")).isEmpty();
        assertThat(json.get("acknowledged").asInt()).isPositive();
        assertThat(json.get("faults")).isNotEmpty();
    }

    @Test
    void saysHowAMutantWasCaughtAndHowToRepeatThat() {
        assertThat(run("--mutant", "early-commit", "--seeds", "20")).isZero();

        assertThat(out.toString())
                .contains("caught: CommitStored does not hold with seed ")
                .contains("To repeat: ./chimera sim --seed ")
                .contains(" --mutant early-commit --trace")
                .endsWith("1 of 1 mutants caught" + System.lineSeparator());
    }

    @Test
    void tracesOneSeed() {
        assertThat(run("--seed", "2", "--trace")).isZero();
        assertThat(out.toString()).contains("q1   starts", "the faults end").contains("Seed 2 is sound.");
    }

    @Test
    void failsWithTheTraceOfAMutantThatIsCaught() {
        assertThat(run("--seed", "1", "--mutant", "early-commit", "--trace")).isEqualTo(1);
        assertThat(out.toString()).contains("CommitStored: Shard ");
    }

    @Test
    void listsTheMutantsAndKnowsNoOthers() {
        assertThat(run("--mutant", "list")).isZero();
        assertThat(out.toString()).contains("early-commit", "appending-store", "unfenced-conductor");

        assertThat(run("--mutant", "nonsense")).isEqualTo(2);
        assertThat(errors.toString()).contains("There is no mutant 'nonsense'; --mutant list");
    }

    private int run(String... arguments) {
        return new CommandLine(new SimCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
    }
}
