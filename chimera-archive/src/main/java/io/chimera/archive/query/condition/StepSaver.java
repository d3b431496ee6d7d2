package io.chimera.archive.query.condition;

import io.chimera.archive.query.condition.Step.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes steps with a known outcome, for example a second check for IPv4. A step is removed only if an earlier step
 * has read the same bytes, so a truncated frame ends at the same place as before.
 */
final class StepSaver {
    /** Maximum length of optimized programs: the goal is the few steps of handwritten filters. */
    private static final int STEPS_MAX = 400;

    private static final int GROWTH_MAX = 3;

    private final List<Step> steps;
    private final List<Set<Cell>> reachable = new ArrayList<>();
    private final StepWriter writer = new StepWriter();
    private final Map<Place, Integer> done = new HashMap<>();

    /** Step, with the facts known on arrival. */
    private record Place(int step, Facts facts) {}

    private StepSaver(List<Step> steps) {
        this.steps = steps;
    }

    /** Returns equivalent steps with the entry last; null if the program is too long or grows too much. */
    static @Nullable List<Step> save(List<Step> steps, int entry) {
        if (steps.size() > STEPS_MAX || entry < 0) {
            return null;
        }
        StepSaver saver = new StepSaver(steps);
        saver.findReachable();
        int newEntry = saver.from(entry, Facts.NONE);
        boolean isGrown = saver.writer.steps().size() > GROWTH_MAX * steps.size();
        return isGrown || newEntry != saver.writer.steps().size() - 1 ? null : saver.writer.steps();
    }

    private void findReachable() {
        for (Step step : steps) {
            Set<Cell> cells = new HashSet<>();
            if (step.cell() != null) {
                cells.add(step.cell());
            }
            addReachable(cells, step.yes());
            addReachable(cells, step.no());
            reachable.add(cells);
        }
    }

    private void addReachable(Set<Cell> cells, int step) {
        if (step >= 0) {
            cells.addAll(reachable.get(step));
        }
    }

    private int from(int start, Facts facts) {
        int number = start;
        while (number >= 0) {
            Boolean outcome = facts.decides(steps.get(number));
            if (outcome == null) {
                break;
            }
            number = outcome ? steps.get(number).yes() : steps.get(number).no();
        }
        if (number < 0) {
            return number;
        }
        Place place = new Place(number, facts.of(reachable.get(number)));
        Integer known = done.get(place);
        if (known != null) {
            return known;
        }
        int written = isTooMuch() ? Step.MISS : write(place);
        done.put(place, written);
        return written;
    }

    private boolean isTooMuch() {
        return writer.steps().size() > GROWTH_MAX * steps.size();
    }

    private int write(Place place) {
        Step step = steps.get(place.step());
        int no = from(step.no(), place.facts().behind(step, false));
        int yes = from(step.yes(), place.facts().behind(step, true));
        return writer.add(step.to(yes, no));
    }
}
