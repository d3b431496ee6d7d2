package io.chimera.bench.report;

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
 * What a measurement says, in the form all of them have.
 *
 * @param name what was run, as on the command line
 * @param figures {@code <what>_<unit>} to number
 * @param ratios {@code <what>_to_<limit or peer>} to how many times its cost
 * @param goals names of figures to goals
 * @param machine where and when
 */
public record Report(
        String name,
        Map<String, BigDecimal> figures,
        Map<String, BigDecimal> ratios,
        Map<String, Goal> goals,
        Machine machine) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Keeps the order of the maps. */
    public Report {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        ratios = Collections.unmodifiableMap(new LinkedHashMap<>(ratios));
        goals = Collections.unmodifiableMap(new LinkedHashMap<>(goals));
    }

    /** The report as one line of JSON. */
    public String json() {
        try {
            return MAPPER.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A report cannot be written as JSON.", e);
        }
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws IllegalArgumentException when it is not that
     */
    public static Report ofJson(String json) {
        try {
            return MAPPER.readValue(json, Report.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Not the JSON object of a report: " + e.getOriginalMessage(), e);
        }
    }
}
