package io.chimera.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Result of a measurement, in the common format of all measurements.
 *
 * @param name name of the command
 * @param figures numbers by {@code <subject>_<unit>}
 * @param ratios cost ratios by {@code <subject>_to_<limit or peer>}
 * @param goals goals by figure or ratio
 * @param leftOut reasons of missing figures and ratios by their names; not in the JSON if empty
 * @param machine machine and time
 */
public record Report(
        String name,
        Map<String, BigDecimal> figures,
        Map<String, BigDecimal> ratios,
        Map<String, Goal> goals,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> leftOut,
        Machine machine) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Copies the maps and keeps their order. */
    public Report {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        ratios = Collections.unmodifiableMap(new LinkedHashMap<>(ratios));
        goals = Collections.unmodifiableMap(new LinkedHashMap<>(goals));
        leftOut = leftOut == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
    }

    /** Returns the report as one line of JSON. */
    public String json() {
        try {
            return MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A report cannot be written as JSON.", e);
        }
    }

    /**
     * Parses the output of {@link #json}.
     *
     * @throws IllegalArgumentException when the text is not a report
     */
    public static Report ofJson(String json) {
        try {
            return MAPPER.readValue(json, Report.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not the JSON object of a report: " + e.getOriginalMessage(), e);
        }
    }
}
