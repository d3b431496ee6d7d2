package io.chimera.faults.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Result of a suite, collected from the events of {@code go test -json}. A case is a test that a receiver ran: its name
 * ends with the name of the receiver.
 */
final class SuiteResult {
    private static final Pattern STATUS = Pattern.compile("Response code from \"[^\"]*\": (\\d+)");

    /**
     * A case of the suite.
     *
     * @param name name of the test without the receiver
     * @param level MUST, SHOULD or MAY of the specification; empty when the test names none
     * @param status status of the answer; 0 without an answer
     * @param outcome pass, fail or skip
     */
    record Case(String name, String level, int status, String outcome) {
        boolean isPassed() {
            return outcome.equals("pass");
        }
    }

    private final String receiver;
    private final Map<String, String> levels = new HashMap<>();
    private final Map<String, Integer> statuses = new HashMap<>();
    private final Map<String, String> outcomes = new TreeMap<>();
    private final StringBuilder failures = new StringBuilder();

    /** Creates an empty result of a receiver. */
    SuiteResult(String receiver) {
        this.receiver = receiver;
    }

    /** Adds an event. */
    void add(String line) {
        if (!line.startsWith("{")) {
            return; // messages of the compiler
        }
        JsonNode event = Json.read("go test", line);
        String test = event.path("Test").asText();
        String action = event.path("Action").asText();
        switch (action) {
            case "attr" -> {
                if (event.path("Key").asText().equals("rfcLevel")) {
                    levels.put(test, event.path("Value").asText());
                }
            }
            case "output" -> addOutput(test, event.path("Output").asText());
            case "pass", "fail", "skip" -> outcomes.put(test, action);
            default -> {
                // start, run, pause, cont
            }
        }
    }

    private void addOutput(String test, String output) {
        Matcher found = STATUS.matcher(output);
        if (found.find()) {
            statuses.put(test, Integer.parseInt(found.group(1)));
        }
        if (output.contains("Error:") || output.contains("panic:")) {
            failures.append(test).append(": ").append(output.strip()).append('\n');
        }
    }

    /** Cases by name. */
    List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        String end = "/" + receiver;
        outcomes.forEach((test, outcome) -> {
            if (test.endsWith(end)) {
                String name = test.substring(0, test.length() - end.length());
                cases.add(new Case(name, levelOf(name), statuses.getOrDefault(test, 0), outcome));
            }
        });
        return cases;
    }

    /** Returns the level of the innermost test with a level. */
    private String levelOf(String test) {
        for (String name = test; !name.isEmpty(); name = name.substring(0, Math.max(0, name.lastIndexOf('/')))) {
            String level = levels.get(name);
            if (level != null) {
                return level;
            }
        }
        return "";
    }

    /** Number of tests that failed, with or without a case. */
    long failed() {
        return outcomes.values().stream().filter("fail"::equals).count();
    }

    /** Messages of failed tests. */
    String failures() {
        return failures.toString();
    }

    /** Formats a page with one row per case. */
    String page(String title, String introduction) {
        List<Case> cases = cases();
        StringBuilder page = new StringBuilder("# ")
                .append(title)
                .append("\n\n")
                .append(introduction)
                .append("\n\n")
                .append(cases.stream().filter(Case::isPassed).count())
                .append(" of ")
                .append(cases.size())
                .append(" cases pass.\n\n| case | level | answer | result |\n|---|---|---|---|\n");
        for (Case one : cases) {
            page.append("| ")
                    .append(one.name().replace("|", "\\|"))
                    .append(" | ")
                    .append(one.level())
                    .append(" | ")
                    .append(one.status())
                    .append(" | ")
                    .append(one.outcome().toLowerCase(Locale.ROOT))
                    .append(" |\n");
        }
        return page.toString();
    }
}
